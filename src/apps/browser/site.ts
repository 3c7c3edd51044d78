// Progressive enhancement: every page works without this script.
import './forms.ts';

// The menu closes with Escape and on a click outside.
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

// The question that the URL links to is opened.
const linkedQuestion = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (linkedQuestion instanceof HTMLDetailsElement) linkedQuestion.open = true;

// The example of the widget shows the typed amount.
document.getElementById('valor')?.addEventListener('input', ({ target }) => {
  document.getElementById('exemplo')?.setAttribute('amount', (target as HTMLInputElement).value);
});
