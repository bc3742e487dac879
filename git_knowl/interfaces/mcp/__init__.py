"""The door for agents whose host speaks the Model Context Protocol; nothing else loads the SDK."""
