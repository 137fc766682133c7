package hosts

// stdio is the usual entry of a server that is started as a process.
type stdio struct {
	Type    string   `json:"type,omitempty" toml:"type,omitempty"`
	Command string   `json:"command" toml:"command"`
	Args    []string `json:"args" toml:"args"`
}

func server(o Options) stdio { return stdio{Command: o.Command, Args: o.Args} }

// known are the hosts in the order in which they are listed.
var known = []host{
	{
		name: "claude-code", title: "Claude Code",
		edits: func(o Options) []edit {
			s := server(o)
			s.Type = "stdio"
			list := []edit{{path: place(o, ".mcp.json", ".claude.json"), keys: []string{"mcpServers", o.Name}, value: s}}
			if o.Only {
				settings := place(o, ".claude/settings.json", ".claude/settings.json")
				for _, tool := range []string{"Edit", "Write", "NotebookEdit"} {
					list = append(list, edit{path: settings, keys: []string{"permissions", "deny"}, value: tool, list: true})
				}
				list = append(list, edit{path: settings, keys: []string{"permissions", "allow"}, value: "mcp__" + o.Name, list: true})
			}
			return list
		},
	},
	{
		name: "codex", title: "Codex",
		edits: func(o Options) []edit {
			return []edit{{path: place(o, ".codex/config.toml", ".codex/config.toml"), toml: true, keys: []string{"mcp_servers", o.Name}, value: server(o)}}
		},
		notes: []string{
			"Codex reads the file of a project only when the project is trusted",
			`codex exec calls the tools only with default_tools_approval_mode = "approve" in the server's table`,
		},
		noteOnly: "Codex has no switch for its own edit tool; with --sandbox read-only it cannot write, and the server, which runs outside the sandbox, still can",
	},
	{
		name: "opencode", title: "opencode",
		edits: func(o Options) []edit {
			path := place(o, "opencode.json", ".config/opencode/opencode.json")
			list := []edit{{path: path, keys: []string{"mcp", o.Name}, value: struct {
				Type    string   `json:"type"`
				Command []string `json:"command"`
				Enabled bool     `json:"enabled"`
			}{"local", append([]string{o.Command}, o.Args...), true}}}
			if o.Only {
				list = append(list, edit{path: path, keys: []string{"permission", "edit"}, value: "deny"})
			}
			return list
		},
	},
	{
		name: "cursor", title: "Cursor",
		edits: func(o Options) []edit {
			return []edit{{path: place(o, ".cursor/mcp.json", ".cursor/mcp.json"), keys: []string{"mcpServers", o.Name}, value: server(o)}}
		},
		noteOnly: "Cursor's own edit tools are switched off in its settings, not in a file; add a rule that names the tools to use",
	},
	{
		name: "vscode", title: "VS Code",
		edits: func(o Options) []edit {
			s := server(o)
			s.Type = "stdio"
			return []edit{{path: place(o, ".vscode/mcp.json", settingsDir()+"/Code/User/mcp.json"), keys: []string{"servers", o.Name}, value: s}}
		},
		noteOnly: "VS Code's own edit tools are switched off in the tools picker of the chat, or by the tools list of a custom agent",
	},
	{
		name: "zed", title: "Zed",
		edits: func(o Options) []edit {
			dir := settingsDir() + "/Zed"
			if settingsDir() != "AppData/Roaming" {
				dir = ".config/zed"
			}
			return []edit{{path: place(o, ".zed/settings.json", dir+"/settings.json"), keys: []string{"context_servers", o.Name}, value: server(o)}}
		},
		noteOnly: "Zed's own edit tools are switched off in an agent profile (agent: manage profiles): edit_file and the like off, the server's tools on",
	},
	{
		name: "gemini-cli", title: "Gemini CLI",
		edits: func(o Options) []edit {
			path := place(o, ".gemini/settings.json", ".gemini/settings.json")
			list := []edit{{path: path, keys: []string{"mcpServers", o.Name}, value: server(o)}}
			if o.Only {
				for _, tool := range []string{"replace", "write_file"} {
					list = append(list, edit{path: path, keys: []string{"tools", "exclude"}, value: tool, list: true})
				}
			}
			return list
		},
	},
	{
		name: "json", title: "any other host",
		notes: []string{"Most hosts take this form; the name of the file and of its first key are the host's"},
	},
}
