import { useContext } from 'preact/hooks';
import { assets } from '../server/assets.ts';
import { ThemeContext } from '../server/page.ts';
import { THEMES, type Theme } from '../server/theme.ts';

const TEXTS: Record<Theme, string> = { claro: 'Claro', escuro: 'Escuro', automatico: 'Automático' };

const LIGHT = '#fbfaf6';
const DARK = '#0d1411';

/** The theme colours of the browser, and dark.css if the theme may be dark. */
export function ThemeHead() {
  const theme = useContext(ThemeContext);
  if (theme === 'claro')
    return (
      <>
        <meta name="color-scheme" content="light" />
        <meta name="theme-color" content={LIGHT} />
      </>
    );
  if (theme === 'escuro')
    return (
      <>
        <meta name="color-scheme" content="dark" />
        <meta name="theme-color" content={DARK} />
        <link rel="stylesheet" href={assets.darkCss} media="screen" />
      </>
    );
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={LIGHT} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={DARK} media="(prefers-color-scheme: dark)" />
      <link rel="stylesheet" href={assets.darkCss} media="screen and (prefers-color-scheme: dark)" />
    </>
  );
}

/** A plain form: it works without scripts, and redirects back to the current page. */
export function ThemeSwitch() {
  const chosen = useContext(ThemeContext);
  return (
    <form class="theme" action="/tema" method="post" aria-label="Tema">
      <span>Tema</span>
      {THEMES.map((theme) => (
        <button key={theme} type="submit" name="tema" value={theme} aria-pressed={theme === chosen}>
          {TEXTS[theme]}
        </button>
      ))}
    </form>
  );
}
