package main

// A release names two versions of a public Go module.
type release struct{ name, from, to string }

// releases are where the changes come from. They were chosen before any figure
// was taken, for sources in several languages.
var releases = []release{
	{"golang.org/x/tools", "v0.20.0", "v0.24.0"},
	{"google.golang.org/grpc", "v1.60.0", "v1.63.0"},
	{"github.com/gohugoio/hugo", "v0.120.0", "v0.124.0"},
	{"github.com/evanw/esbuild", "v0.19.0", "v0.21.0"},
	{"github.com/pulumi/pulumi/sdk/v3", "v3.100.0", "v3.110.0"},
	{"github.com/apache/thrift", "v0.18.1", "v0.19.0"},
	{"github.com/google/flatbuffers", "v23.5.26+incompatible", "v24.3.25+incompatible"},
}
