"""The texts that an installation leaves with a host: short, for they point at the live commands."""

from __future__ import annotations

#: The block in the instruction file of a project.
BLOCK = """\
What earlier sessions found out here: `git knowl index`, and `git knowl why PATH` before you change
a file. If losing what you just learnt would cost a later session, bookmark it at once:
`git knowl flag "ONE SENTENCE" -p PATH`. `git knowl guide` says more.
"""
DESCRIPTION = "Write up what was flagged in this repository as drafts that a person reviews"
CAPTURE = """\
Run `git knowl capture`. It prints the flags that wait, what is known already, and how to write.
Look at the evidence of every flag, then hand in one payload: `git knowl capture --submit -` with
the JSON on standard input. Discard with a reason what a later session could find out by itself.
End by telling the user how many drafts wait for `git knowl review`, which only a person runs.
(Put here by `git knowl agent install`.)
"""
SKILL = f"---\nname: knowl-capture\ndescription: {DESCRIPTION}\n---\n\n{CAPTURE}"
COMMAND = f"---\ndescription: {DESCRIPTION}\n---\n\n{CAPTURE}"
TOML_COMMAND = f'description = "{DESCRIPTION}"\nprompt = """\n{CAPTURE}"""\n'
PLUGIN = """\
// Put here by `git knowl agent install opencode`; `git knowl agent uninstall opencode` removes it.
const ask = ($, event, payload) =>
  $`git knowl agent hook opencode ${event} < ${new Response(JSON.stringify(payload))}`
    .quiet().nothrow().json().catch(() => ({}))

export const Knowl = async ({ client, directory, $ }) => {
  const blocks = new Map()
  const tell = (event, session, more) => ask($, event, { session, cwd: directory, ...more })
  const begin = async (session) => {
    const found = await client.session.get({ path: { id: session } }).catch(() => undefined)
    return (await tell(found?.data?.parentID ? "helper" : "start", session)).context ?? ""
  }
  const block = async (session) => {
    if (!blocks.has(session)) blocks.set(session, await begin(session))
    return blocks.get(session)
  }
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const text = await block(input?.sessionID ?? directory)
      if (text) output.system.push(text)
    },
    "chat.message": async (input, output) => {
      const asked = output.parts.findLast((part) => part.type === "text")
      if (!asked) return
      await block(input.sessionID)
      const said = await tell("prompt", input.sessionID, { prompt: asked.text })
      if (!said.context) return
      output.parts.push({ ...asked, id: `${asked.id}0`, text: said.context, synthetic: true })
    },
    "tool.execute.before": async (input, output) => {
      if (input.tool !== "bash") return
      const said = await tell("before", input.sessionID, { tool: input.tool, args: output.args })
      if (said.denied) throw new Error(said.denied)
    },
    "tool.execute.after": async (input, output) => {
      const args = input.args ?? output.metadata ?? {}
      const told = { tool: input.tool, args, call: input.callID }
      const said = await tell("after", input.sessionID, told)
      if (said.context) output.output += "\\n" + said.context
    },
    "experimental.session.compacting": async (input, output) => {
      blocks.delete(input.sessionID)
      await tell("compacting", input.sessionID)
    },
  }
}
"""
