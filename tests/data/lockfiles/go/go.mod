module example.com/app

go 1.22

toolchain go1.22.4

require (
	github.com/BurntSushi/toml v1.3.2
	github.com/google/uuid v1.6.0
	github.com/old/fork v1.0.0
	github.com/pinned/mod/v2 v2.1.0
	"gopkg.in/yaml.v3" v3.0.1
)

require (
	github.com/docker/docker v24.0.7+incompatible // indirect
	golang.org/x/sys v0.0.0-20240101000000-abcdef012345 // indirect
)

require example.com/local v0.0.0 // a module of this repository

replace (
	github.com/old/fork => github.com/new/fork v1.2.0
	github.com/pinned/mod/v2 v2.1.0 => github.com/pinned/mod/v2 v2.0.9
)

replace github.com/google/uuid v1.5.0 => github.com/other/uuid v1.5.1

replace example.com/local => ../local

exclude github.com/BurntSushi/toml v1.3.1

retract [v0.1.0, v0.1.9] // published by mistake
