package session

import (
	"path/filepath"
	"slices"
	"strings"

	"putcut/refusal"
	"putcut/workspace"
	"putcut/workspace/policy"
)

// rules are the policy files that govern the roots, read once when the session
// starts. A file that cannot be understood forbids every edit.
type rules struct {
	policies []*policy.Policy
	files    []string // where the policies really lie, behind any links
	broken   error
}

// loadRules finds the policy file of each root.
func loadRules(ws *workspace.Workspace) rules {
	var r rules
	for _, root := range ws.Roots() {
		p, err := policy.Find(root)
		if err != nil {
			r.broken = err
			continue
		}
		if p != nil {
			r.policies = append(r.policies, p)
			if real, err := filepath.EvalSymlinks(p.Path); err == nil {
				r.files = append(r.files, real)
			}
		}
	}
	return r
}

// check refuses a file that a policy does not let tools edit.
func (r rules) check(t *workspace.Target) error {
	if r.broken != nil {
		return r.broken
	}
	if slices.Contains(r.files, t.Key) {
		return refusal.New(refusal.Policy, "this is the policy file of the tools, which is not edited through them").WithNext("Leave this file to its owner")
	}
	for _, p := range r.policies {
		if err := p.Check(t.Key); err != nil {
			return err
		}
	}
	return nil
}

// tighten lowers limits to those of the policies and fills in what they say of
// syntax, unless the caller did.
func (r rules) tighten(lim *Limits, structure *Structure) {
	lower := func(v *int, to int) {
		if to > 0 && to < *v {
			*v = to
		}
	}
	for _, p := range r.policies {
		lower(&lim.ScriptBytes, int(p.Limits.ScriptBytes))
		lower(&lim.Ops, p.Limits.Ops)
		lower(&lim.Files, p.Limits.Files)
		lower(&lim.ExpandedLines, p.Limits.ExpandedLines)
		if n := p.Limits.FileBytes; n > 0 && n < lim.FileBytes {
			lim.FileBytes = n
		}
		if *structure == "" {
			*structure = Structure(p.Structure)
		}
	}
}

// checkWritable asks the workspace, then the policy files.
func (s *Session) checkWritable(t *workspace.Target) error {
	if err := s.ws.CheckWritable(t); err != nil {
		return err
	}
	if s.folder != "" && (t.Key == s.folder || strings.HasPrefix(t.Key, s.folder+string(filepath.Separator))) {
		return refusal.New(refusal.Policy, "the folder of the session is not edited through the tools").WithNext("Leave this file to its owner")
	}
	return s.rules.check(t)
}
