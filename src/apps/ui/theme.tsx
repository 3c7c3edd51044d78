import { useContext } from 'preact/hooks';
import { assets } from '../server/assets.ts';
import { ThemeContext } from '../server/page.ts';
import { THEMES, type Theme } from '../server/theme.ts';

const THEME_LABELS: Record<Theme, string> = { claro: 'Claro', escuro: 'Escuro', automatico: 'Automático' };

const LIGHT_COLOR = '#fbfaf6';
const DARK_COLOR = '#0d1411';

const COLOR_SCHEMES: Record<Theme, string> = { claro: 'light', escuro: 'dark', automatico: 'light dark' };

/** The theme colours of the browser, and dark.css if the theme may be dark. */
export function ThemeHead() {
  const theme = useContext(ThemeContext);
  const isAutomatic = theme === 'automatico';
  const getMedia = (scheme: string) => isAutomatic && { media: `(prefers-color-scheme: ${scheme})` };
  const darkMedia = isAutomatic ? 'screen and (prefers-color-scheme: dark)' : 'screen';
  return (
    <>
      <meta name="color-scheme" content={COLOR_SCHEMES[theme]} />
      {theme !== 'escuro' && <meta name="theme-color" content={LIGHT_COLOR} {...getMedia('light')} />}
      {theme !== 'claro' && <meta name="theme-color" content={DARK_COLOR} {...getMedia('dark')} />}
      {theme !== 'claro' && <link rel="stylesheet" href={assets.darkCss} media={darkMedia} />}
    </>
  );
}

export function ThemeSwitch() {
  const chosenTheme = useContext(ThemeContext);
  return (
    <form class="theme" action="/tema" method="post" aria-label="Tema">
      <span>Tema</span>
      {THEMES.map((theme) => (
        <button key={theme} type="submit" name="tema" value={theme} aria-pressed={theme === chosenTheme}>
          {THEME_LABELS[theme]}
        </button>
      ))}
    </form>
  );
}
