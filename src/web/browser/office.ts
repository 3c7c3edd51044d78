// Progressive enhancement: the office works without this script, but for passkeys.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import './forms.ts';
import './search.ts';

// Passkeys: the button asks the browser, and sends what it answers with the form.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-passkey-button]')) {
  const form = button.form!;
  const field = form.querySelector<HTMLInputElement>('[data-passkey]')!;
  const fault = form.querySelector<HTMLElement>('[data-passkey-fault]')!;
  button.hidden = false;
  const ask = async () => {
    const optionsJSON = JSON.parse(field.dataset.options!);
    const isNew = field.dataset.passkey === 'create';
    const answer = await (isNew ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON }));
    field.value = JSON.stringify(answer);
    form.requestSubmit();
  };
  button.addEventListener('click', () => {
    fault.hidden = true;
    void ask().catch(() => {
      fault.hidden = false;
    });
  });
}

// The box above a column of boxes chooses them all.
for (const all of document.querySelectorAll<HTMLInputElement>('[data-all]')) {
  all.hidden = false;
  all.addEventListener('change', () => {
    for (const one of all.form!.querySelectorAll<HTMLInputElement>(`[name="${all.dataset.all}"]`))
      one.checked = all.checked;
  });
}

// Keyboard: / or Ctrl-K searches, j and k walk rows, Enter opens, Esc leaves, g and a letter goes there, ? shows all.
let isGoing = false;
let at = -1;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
const rows = () => [...document.querySelectorAll<HTMLElement>('table[data-rows] tbody tr, ul[data-rows] li')];

function walk(by: 1 | -1): void {
  const all = rows();
  if (all.length === 0) return;
  all[at]?.classList.remove('here');
  at = Math.min(Math.max(at + by, 0), all.length - 1);
  const here = all[at]!;
  here.classList.add('here');
  here.scrollIntoView({ block: 'nearest' });
  here.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
}

function go(key: string): void {
  const place = document.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(key)}"]`);
  if (place) location.assign(place.href);
}

function help(): void {
  const known = document.querySelector<HTMLDialogElement>('dialog.office-help');
  if (known) {
    if (known.open) known.close();
    else known.showModal();
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.className = 'office-help';
  dialog.ariaLabel = 'Teclas';
  const list = document.createElement('ul');
  const places = [...document.querySelectorAll<HTMLElement>('[data-go]')].map(
    (place) => `g ${place.dataset.go}: ${place.textContent}`,
  );
  const keys = [
    '/ ou Ctrl-K: buscar',
    'j, k: próxima linha, anterior',
    'Enter: abrir',
    'Esc: voltar',
    ...places,
  ];
  for (const text of [...keys, '?: esta lista'])
    list.append(Object.assign(document.createElement('li'), { textContent: text }));
  dialog.append(list);
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const search = document.getElementById('busca') as HTMLInputElement | null;
  if ((ctrlKey || metaKey) && key === 'k' && search) {
    event.preventDefault();
    search.select();
    return;
  }
  if (key === 'Escape') {
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    else if (!document.querySelector('dialog[open]'))
      document.querySelector<HTMLAnchorElement>('.crumbs a')?.click();
    return;
  }
  if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
  if (isGoing) {
    isGoing = false;
    go(key);
    return;
  }
  if (key === 'g') isGoing = true;
  else if (key === '?') help();
  else if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1);
  else if (key === '/' && search) {
    event.preventDefault();
    search.select();
  }
});
