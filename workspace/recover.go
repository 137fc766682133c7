package workspace

// A Recovery says what Open did about one interrupted commit.
type Recovery struct{}

func (w *Workspace) recover() error { return nil }
