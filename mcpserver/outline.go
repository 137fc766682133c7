package mcpserver

import (
	"context"

	"putcut/session"
)

// sessionOutline asks the session for the outline of a file.
var sessionOutline func(ctx context.Context, s *session.Session, path string) (Answer, error)
