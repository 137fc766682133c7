package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"putcut/parser"
	"putcut/refusal"
	"putcut/session"
	"putcut/text"
)

type applyOptions struct {
	*Streams
	place
	changing
	script    string
	revisions []string
	structure string
}

// NewCmdApply makes the command `apply`.
func NewCmdApply(s *Streams) *cobra.Command {
	opts := &applyOptions{Streams: s}
	cmd := &cobra.Command{
		Use:   "apply [SCRIPT]",
		Short: "Apply a script to its files, all or nothing",
		Long: `apply takes a script from a file or the standard input. Without a session a
section is applied if its file still has the tag the section names; in a session
the lines it changes must also have been printed under that tag, and older tags
stay good.`,
		Example: `  putcut apply change.put --dry-run --diff
  printf '[go.mod#9C1E]\nCUT 3.=3\n' | putcut apply`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeOneScript,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opts.script = args[0]
			}
			return applyRun(cmd.Context(), opts)
		},
	}
	opts.place.flags(cmd)
	opts.changing.flags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&opts.revisions, "expected-revision", nil, "refuse unless the file has this revision, as PATH=REVISION; may be repeated")
	structureFlag(cmd, &opts.structure)
	cmd.RegisterFlagCompletionFunc("expected-revision", cobra.NoFileCompletions)
	return cmd
}

var structures = []string{string(session.Repair), string(session.WarnOnly), string(session.RefuseError), string(session.Off)}

func structureFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "structure", string(session.Repair), "what becomes of an edit that breaks a file's syntax: repair, warn, refuse, off")
	cmd.RegisterFlagCompletionFunc("structure", cobra.FixedCompletions(structures, cobra.ShellCompDirectiveNoFileComp))
}

func parseStructure(s string) (session.Structure, error) {
	for _, known := range structures {
		if s == known {
			return session.Structure(s), nil
		}
	}
	return "", usagef("--structure is %q, and it may be %s", s, strings.Join(structures, ", "))
}

func applyRun(ctx context.Context, opts *applyOptions) error {
	revisions, err := parseRevisions(opts.revisions)
	if err != nil {
		return err
	}
	structure, err := parseStructure(opts.structure)
	if err != nil {
		return err
	}
	script, err := readInput(ctx, opts.Streams, opts.script, "the script")
	if err != nil {
		return err
	}
	if err := checkNamed(script, revisions); err != nil {
		return err
	}
	opt := session.Options{Limits: opts.limits(), Structure: structure}
	return opts.inSession(ctx, opts.Streams, opt, func(s *session.Session) error {
		res, err := s.Patch(ctx, session.PatchRequest{Script: script, ExpectedRevisions: revisions, DryRun: opts.dryRun})
		if err != nil {
			return err
		}
		return opts.print(opts.Streams, &opts.place, res)
	})
}

func parseRevisions(list []string) (map[string]text.Revision, error) {
	out := make(map[string]text.Revision, len(list))
	for _, item := range list {
		i := strings.LastIndexByte(item, '=')
		if i <= 0 || i == len(item)-1 {
			return nil, usagef("--expected-revision is %q, and it is PATH=REVISION", item)
		}
		rev, err := parseRevision(item[i+1:])
		if err != nil {
			return nil, err
		}
		if old, ok := out[item[:i]]; ok && old != rev {
			return nil, usagef("--expected-revision names %s twice", item[:i])
		}
		out[item[:i]] = rev
	}
	return out, nil
}

// checkNamed refuses a precondition on a file that the script does not name: it
// would be asked of nothing. A script that does not parse is left to the session.
func checkNamed(script string, revisions map[string]text.Revision) error {
	if len(revisions) == 0 {
		return nil
	}
	res, err := parser.Parse(script, parser.Limits{})
	if err != nil {
		return nil
	}
	named := map[string]bool{}
	for _, sec := range res.Script.Sections {
		named[sec.Path] = true
	}
	for path := range revisions {
		if !named[path] {
			return refusal.New(refusal.InvalidArgument, "a revision is expected of %s, and no header row of the script names that path", path).
				WithNext("Spell the path as the header row does")
		}
	}
	return nil
}
