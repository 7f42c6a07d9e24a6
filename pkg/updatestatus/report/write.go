package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	styleCSS string

	page = template.Must(template.New("page").Parse(pageHTML))
)

// content is what the template is filled with.
type content struct {
	*Page

	Style template.CSS
	// Policy forbids scripts and requests: only the style of the page is used.
	Policy string
}

// Write writes the report as HTML.
func (p *Page) Write(w io.Writer) error {
	hash := sha256.Sum256([]byte(styleCSS))
	filled := content{
		Page:  p,
		Style: template.CSS(styleCSS), //nolint:gosec // a file of this package
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" +
			base64.StdEncoding.EncodeToString(hash[:]) + "'",
	}
	if err := page.Execute(w, filled); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
