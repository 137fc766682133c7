package grammars

var elixirTables = []Language{
	{
		Name:         "elixir",
		Extensions:   []string{"ex", "exs"},
		Files:        []string{"mix.lock"},
		Interpreters: []string{"elixir"},
		Containers:   []string{"source", "body", "map_content", "keywords"},
		Cases:        []string{"stab_clause"},
		Clauses:      []string{"else_block", "rescue_block", "catch_block", "after_block"},
		Parts:        []string{"arguments"},
		Opaque:       []string{"string", "charlist", "sigil", "quoted_content"},
		Closers:      []string{"end"},
		Inside:       []string{"arguments", "call"},
		Decls: []Decl{
			{
				Kind: "call", Word: "target",
				Words: Pairs[string]{
					{"defmodule", "module"}, {"def", "def"}, {"defp", "defp"}, {"defmacro", "macro"}, {"defmacrop", "macro"},
					{"defprotocol", "protocol"}, {"defimpl", "impl"}, {"defguard", "guard"}, {"defguardp", "guard"}, {"defdelegate", "def"},
					{"test", "test"}, {"describe", "describe"},
				},
				Name: "@arguments/@alias|@arguments/@call/target|@arguments/@binary_operator/left/target|@arguments/@identifier|@arguments/@string",
			},
		},
	},
}
