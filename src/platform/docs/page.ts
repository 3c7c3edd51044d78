export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Renders a page without scripts or external resources. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Semana</title>
<style>
  :root { color-scheme: light dark; --ink: #1c2321; --paper: #fbfaf7; --line: #d9d5ca; --accent: #0b7a5b; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e9e6de; --paper: #171b1a; --line: #37403c; --accent: #5fd3ae; } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
  main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
  a { color: var(--accent); }
  h1 { font-size: 1.7rem; line-height: 1.25; margin: .2rem 0 1.2rem; }
  h2 { font-size: 1rem; margin: 2rem 0 .3rem; color: var(--accent); }
  p { margin: 0 0 .8rem; }
  code { font: .92em ui-monospace, monospace; background: color-mix(in srgb, var(--line) 45%, transparent); padding: .1em .35em; border-radius: .3em; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .45rem .6rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
  .where { font-size: .9rem; } .status { font-variant-numeric: tabular-nums; opacity: .7; }
</style>
<main>
${body}
</main>
</html>
`;
}
