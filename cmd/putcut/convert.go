package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"putcut/dialects"
	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
	"putcut/text"
)

// formatScript names the engine's own scripts beside the formats of package
// dialects.
const formatScript = "script"

type convertOptions struct {
	*Streams
	place
	from      []string
	files     []string
	to        string
	apply     bool
	dryRun    bool
	json      bool
	exact     bool
	strip     int
	path      string
	revisions []string
	structure string
	activate  string
}

// NewCmdConvert makes the command `convert`.
func NewCmdConvert(s *Streams) *cobra.Command {
	opts := &convertOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "convert --from FORMAT [FILE] [--from FORMAT FILE]...",
		Short: "Turn an edit in another format into a script or a diff, or apply it",
		Long: `convert resolves edits in other formats against the files as they are, and prints
the same change as a script with tags, or as a unified diff that git apply and
patch accept (--to diff). With --apply it makes the change, through the same
gates and the same commit as any other; with --dry-run it stops before it.

FORMAT is one of
  replacements    JSON: {path, expected_revision, edits: [{old_text, new_text}]}
  anchors         JSON: {edits: [{path, anchor, text, mode, expectCount}], dryRun}
  search-replace  <<<<<<< SEARCH ... ======= ... >>>>>>> REPLACE
  apply_patch     *** Begin Patch ... *** End Patch
  diff            what diff -u and git diff print
  whole           the whole content of the file that --path names, or paths and fences
  script          a putcut script, by itself only

The edit is read from FILE, or the standard input. Several edits, of one or of
several formats, are one change, all or nothing: repeat --from, and the first one
belongs to the first FILE, the second one to the second, and so on; one --from
serves any number of files. --from FORMAT=PATH is a FORMAT with a --path of its
own.

What whole-line ops cannot say, a part of a line with another terminator or a
final newline that comes or goes, exits with 1 and is named by --to script;
--apply and --to diff can do it.

--activate runs a command with sh once the change is on stable storage, in the
first root, its output on the error stream. The result says "activation":
"activated" when it succeeded; "closed" when nothing was activated, because no
command was given, or it was cancelled, or the storage is not known to be stable;
else the error. If it fails or is cancelled, the change stays, and the exit code
is 3.`,
		Example: `  putcut convert --from diff fix.patch
  git diff | putcut convert --from diff --apply --root ../copy
  putcut convert --from search-replace reply.md --from whole=docs/a.md a.md --apply
  putcut convert --from script change.put --to diff | git apply`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.files = args
			return convertRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	jsonFlag(cmd, &opts.json)
	f := cmd.Flags()
	f.StringArrayVar(&opts.from, "from", nil, "format of an edit, or FORMAT=PATH; may be repeated")
	f.StringVar(&opts.to, "to", "", "what to print: script or diff (default: script, and with --apply or --dry-run the result)")
	f.BoolVar(&opts.apply, "apply", false, "make the change")
	f.BoolVarP(&opts.dryRun, "dry-run", "n", false, "check everything as --apply would, and write nothing")
	f.BoolVar(&opts.exact, "exact", false, "let no text match but as it stands: not shifted, not unescaped, not with other terminators")
	f.IntVarP(&opts.strip, "strip", "p", -1, "leading parts that names in a diff lose (default: the prefixes git writes)")
	f.StringVar(&opts.path, "path", "", "the file that the edit is for, where its format does not say")
	f.StringArrayVar(&opts.revisions, "expected-revision", nil, "refuse unless the file has this revision, as PATH=REVISION; may be repeated")
	f.StringVar(&opts.activate, "activate", "", "command to run once the change is on stable storage; with the format replacements and --apply")
	structureFlag(cmd, &opts.structure)
	cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{"script", "diff"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("path", func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		return opts.completeFiles(cmd, args, toComplete)
	})
	for _, name := range []string{"expected-revision", "strip", "activate"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

func formatNames() []string {
	var out []string
	for _, f := range dialects.Formats() {
		out = append(out, string(f))
	}
	return append(out, formatScript)
}

// takesPath are the formats in which an edit need not name its file.
var takesPath = []dialects.Format{dialects.WholeFile, dialects.SearchReplace, dialects.UnifiedDiff}

// An editSource is one edit that the command line names.
type editSource struct{ format, path, file string }

// sources pairs formats with files.
func (opts *convertOptions) sources() ([]editSource, error) {
	files := opts.files
	if len(files) == 0 {
		files = []string{"-"}
	}
	switch {
	case len(opts.from) == 0:
		return nil, usagef("say what the edit is: --from with one of %s", strings.Join(formatNames(), ", "))
	case len(opts.from) > 1 && len(opts.from) != len(files):
		return nil, usagef("%d formats are given for %d inputs: repeat --from once for each FILE, in their order", len(opts.from), len(files))
	case opts.path != "" && len(files) > 1:
		return nil, usagef("--path is for a single input; write --from FORMAT=PATH for each that needs one")
	}
	var out []editSource
	stdin := 0
	for i, file := range files {
		format, path, own := strings.Cut(opts.from[min(i, len(opts.from)-1)], "=")
		if !slices.Contains(formatNames(), format) {
			return nil, usagef("--from is %q, and it may be %s", format, strings.Join(formatNames(), ", "))
		}
		switch {
		case own && path == "":
			return nil, usagef("--from %s= names no path", format)
		case own && len(opts.from) == 1 && len(files) > 1:
			return nil, usagef("--from %s=%s is for a single input; repeat it for each FILE", format, path)
		case own && opts.path != "":
			return nil, usagef("--path and --from %s=%s both name a path", format, path)
		case !own:
			path = opts.path
		}
		if file == "-" {
			stdin++
		}
		if format == formatScript && len(files) > 1 {
			return nil, usagef("a script cannot be mixed with other inputs; turn those into scripts first")
		}
		if path != "" && !slices.Contains(takesPath, dialects.Format(format)) {
			return nil, usagef("an edit of the format %s names its files itself", format)
		}
		out = append(out, editSource{format, path, file})
	}
	if stdin > 1 {
		return nil, usagef("the standard input can be one of the inputs only")
	}
	return out, nil
}

// check refuses flags that do not go together.
func (opts *convertOptions) check(list []editSource) error {
	result := opts.apply || opts.dryRun
	switch {
	case opts.apply && opts.dryRun:
		return usagef("--apply and --dry-run exclude each other")
	case opts.to != "" && opts.to != "script" && opts.to != "diff":
		return usagef("--to is %q, and it may be script or diff", opts.to)
	case result && opts.to == "script":
		return usagef("--to script prints and does not apply; leave one of the two out")
	case opts.strip < -1:
		return usagef("--strip is %d, and it counts parts", opts.strip)
	case opts.activate != "" && !opts.apply:
		return usagef("--activate needs --apply")
	case opts.activate != "" && slices.ContainsFunc(list, func(e editSource) bool { return e.format != string(dialects.Replacements) }):
		return usagef("--activate is for the format %s, whose edits name the revision they were made for", dialects.Replacements)
	}
	if opts.to == "" && !result {
		opts.to = "script"
	}
	return nil
}

func convertRun(ctx context.Context, opts *convertOptions) error {
	list, err := opts.sources()
	if err != nil {
		return err
	}
	if err := opts.check(list); err != nil {
		return err
	}
	revisions, err := parseRevisions(opts.revisions)
	if err != nil {
		return err
	}
	structure, err := parseStructure(opts.structure)
	if err != nil {
		return err
	}
	var inputs []dialects.Input
	for _, e := range list {
		content, err := readInput(ctx, opts.Streams, e.file, "the edit")
		if err != nil {
			return err
		}
		inputs = append(inputs, dialects.Input{Format: dialects.Format(e.format), Path: e.path, Text: content})
	}
	opt := session.Options{Structure: structure}
	if opts.to == "diff" {
		opt.Limits.DiffBytes = 1 << 30
	}
	return opts.inSession(ctx, opts.Streams, opt, func(s *session.Session) error {
		if list[0].format == formatScript {
			return opts.convertScript(ctx, s, inputs[0].Text, revisions)
		}
		req := session.ApplyRequest{
			Inputs: inputs, ExpectedRevisions: revisions, DryRun: opts.dryRun,
			Options: dialects.Options{Exact: opts.exact, Strip: opts.strip + 1},
		}
		if opts.apply || opts.dryRun {
			return opts.makeChange(ctx, s, req)
		}
		return opts.convertEdits(ctx, s, req)
	})
}

// A convertedJSON is a conversion as --json prints it.
type convertedJSON struct {
	Script string                `json:"script,omitempty"`
	Diff   string                `json:"diff,omitempty"`
	Files  []session.ApplyReport `json:"reports,omitempty"`
}

// convertEdits prints what edits in other formats are as a script or a diff.
func (opts *convertOptions) convertEdits(ctx context.Context, s *session.Session, req session.ApplyRequest) error {
	b, err := s.Lower(ctx, req)
	if err != nil {
		return err
	}
	var out convertedJSON
	for _, f := range b.Files {
		out.Files = append(out.Files, session.ReportOf(f))
	}
	if opts.to == "script" {
		if out.Script, err = b.Script(); err != nil {
			return err
		}
	} else {
		var exact bool
		if out.Diff, exact = b.Diff(); !exact {
			return decodedDiff()
		}
	}
	if opts.json {
		return opts.PrintJSON(out)
	}
	opts.Note(session.ResolvedText(out.Files))
	for _, f := range out.Files {
		opts.warn(f.Warnings)
	}
	if opts.to == "script" {
		return opts.Print(out.Script)
	}
	return opts.PrintDiff(out.Diff)
}

// makeChange applies edits in other formats, or checks that it could.
func (opts *convertOptions) makeChange(ctx context.Context, s *session.Session, req session.ApplyRequest) error {
	if opts.activate != "" {
		req.Activate = func(ctx context.Context, _ *session.ChangeResult) error { return opts.runActivation(ctx) }
	}
	if opts.to == "diff" {
		plan, err := s.PlanApply(ctx, req)
		if err != nil {
			return err
		}
		if plan.Result().DiffDecoded {
			return decodedDiff()
		}
	}
	res, err := s.Apply(ctx, req)
	if err != nil {
		return err
	}
	opts.place.reduce(res.ChangeResult)
	err = opts.printResult(res, res.ChangeResult, res.Text())
	if opts.activate == "" || res.Activation == session.Activated {
		return err
	}
	if res.Activation == session.Closed {
		opts.Note("activation: closed, it was cancelled or the storage is not known to be stable; the edit stays\n")
	}
	return or(err, quietError(exitIO))
}

// convertScript turns a script into a diff or its canonical form, or applies it.
func (opts *convertOptions) convertScript(ctx context.Context, s *session.Session, script string, revisions map[string]text.Revision) error {
	if err := checkNamed(script, revisions); err != nil {
		return err
	}
	req := session.PatchRequest{Script: script, ExpectedRevisions: revisions, DryRun: !opts.apply}
	plan, err := s.PlanPatch(ctx, req)
	if err != nil {
		return err
	}
	res := plan.Result()
	if opts.to == "diff" && res.DiffDecoded {
		return decodedDiff()
	}
	if opts.apply {
		if res, err = plan.Commit(ctx); err != nil {
			return err
		}
	}
	if opts.apply || opts.dryRun {
		opts.place.reduce(res)
		return opts.printResult(res, res, res.Text())
	}
	if opts.to == "diff" {
		if opts.json {
			return opts.PrintJSON(convertedJSON{Diff: res.Diff})
		}
		opts.warn(res.Warnings)
		return opts.PrintDiff(res.Diff)
	}
	parsed, err := parser.Parse(script, parser.Limits{})
	if err != nil {
		return err
	}
	canonical := parser.Format(parsed.Script)
	if opts.json {
		return opts.PrintJSON(convertedJSON{Script: canonical})
	}
	opts.warn(res.Warnings)
	return opts.Print(canonical)
}

func decodedDiff() error {
	return refusal.New(refusal.InvalidArgument, "a diff cannot say it: the bytes of a file, UTF-16 say, cannot stand in one").
		WithNext("Use --to script, or apply it without --to")
}

// printResult prints the result of a change: v as JSON, its diff, or text.
func (opts *convertOptions) printResult(v any, res *session.ChangeResult, text string) error {
	switch {
	case opts.json:
		return opts.PrintJSON(v)
	case opts.to == "diff":
		opts.warn(res.Warnings)
		if a, ok := v.(*session.ApplyResult); ok {
			opts.Note(session.ResolvedText(a.Reports))
			opts.Note(a.ActivationText())
		}
		return opts.PrintDiff(res.Diff)
	}
	return opts.PrintText(text)
}

func or(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
