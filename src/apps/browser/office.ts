// Progressive enhancement: the back office works without this script, except for passkeys.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import './forms.ts';
import './search.ts';

// While a bulk action has pending rows, its page has a form that runs the next batch.
document.querySelector<HTMLButtonElement>('[data-continue]')?.form?.requestSubmit();

// Passkeys: the button requests a credential from the browser and submits it with the form.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-passkey-button]')) {
  const form = button.form!;
  const field = form.querySelector<HTMLInputElement>('[data-passkey]')!;
  const errorMessage = form.querySelector<HTMLElement>('[data-passkey-error]')!;
  button.hidden = false;
  const submitPasskey = async () => {
    const optionsJSON = JSON.parse(field.dataset.options!);
    const isRegistration = field.dataset.passkey === 'create';
    const credential = await (isRegistration
      ? startRegistration({ optionsJSON })
      : startAuthentication({ optionsJSON }));
    field.value = JSON.stringify(credential);
    form.requestSubmit();
  };
  button.addEventListener('click', () => {
    errorMessage.hidden = true;
    void submitPasskey().catch(() => {
      errorMessage.hidden = false;
    });
  });
}

// The checkbox above a column of checkboxes checks or clears all of them.
for (const selectAll of document.querySelectorAll<HTMLInputElement>('[data-all]')) {
  selectAll.hidden = false;
  selectAll.addEventListener('change', () => {
    const { form, checked, dataset } = selectAll;
    for (const checkbox of form!.querySelectorAll<HTMLInputElement>(`[name="${dataset.all}"]`))
      checkbox.checked = checked;
  });
}

// Keyboard shortcuts: / or Ctrl-K focuses the search, j and k select the next and the previous row, Enter opens the row, Esc goes to
// the parent page, g and a letter opens a page of the menu, ? shows the list of shortcuts.
/** Whether the previous key was g: the next one selects a page of the menu. */
let awaitsPageKey = false;
/** -1 if no row is selected. */
let selectedRowIndex = -1;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
const listRows = () => [
  ...document.querySelectorAll<HTMLElement>('table[data-rows] tbody tr, ul[data-rows] li'),
];

function moveSelection(offset: 1 | -1): void {
  const rows = listRows();
  if (rows.length === 0) return;
  rows[selectedRowIndex]?.classList.remove('selected-row');
  selectedRowIndex = Math.min(Math.max(selectedRowIndex + offset, 0), rows.length - 1);
  const row = rows[selectedRowIndex]!;
  row.classList.add('selected-row');
  row.scrollIntoView({ block: 'nearest' });
  row.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
}

function openPage(key: string): void {
  const link = document.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(key)}"]`);
  if (link) location.assign(link.href);
}

function toggleHelp(): void {
  const existingDialog = document.querySelector<HTMLDialogElement>('dialog.office-help');
  if (existingDialog) {
    if (existingDialog.open) existingDialog.close();
    else existingDialog.showModal();
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.className = 'office-help';
  dialog.ariaLabel = 'Teclas';
  const shortcutList = document.createElement('ul');
  const pageShortcuts = [...document.querySelectorAll<HTMLElement>('[data-go]')].map(
    (link) => `g ${link.dataset.go}: ${link.textContent}`,
  );
  const shortcuts = [
    '/ ou Ctrl-K: buscar',
    'j, k: próxima linha, anterior',
    'Enter: abrir',
    'Esc: voltar',
    ...pageShortcuts,
  ];
  for (const text of [...shortcuts, '?: esta lista'])
    shortcutList.append(Object.assign(document.createElement('li'), { textContent: text }));
  dialog.append(shortcutList);
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const searchField = document.getElementById('busca') as HTMLInputElement | null;
  if ((ctrlKey || metaKey) && key === 'k' && searchField) {
    event.preventDefault();
    searchField.select();
    return;
  }
  if (key === 'Escape') {
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    else if (!document.querySelector('dialog[open]'))
      document.querySelector<HTMLAnchorElement>('.crumbs a')?.click();
    return;
  }
  if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
  if (awaitsPageKey) {
    awaitsPageKey = false;
    openPage(key);
    return;
  }
  if (key === 'g') awaitsPageKey = true;
  else if (key === '?') toggleHelp();
  else if (key === 'j' || key === 'k') moveSelection(key === 'j' ? 1 : -1);
  else if (key === '/' && searchField) {
    event.preventDefault();
    searchField.select();
  }
});
