// Progressive enhancement: every page works without this script.
import './forms.ts';

// A menu closes with Escape and on a click outside.
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && menu?.open) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});
addEventListener('click', ({ target }) => {
  if (menu?.open && !menu.contains(target as Node)) menu.open = false;
});

// A link to one question opens it.
const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (wanted instanceof HTMLDetailsElement) wanted.open = true;

// The example of the widget follows the amount that is typed.
document.getElementById('valor')?.addEventListener('input', ({ target }) => {
  document.getElementById('exemplo')?.setAttribute('amount', (target as HTMLInputElement).value);
});
