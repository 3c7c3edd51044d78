// Inserts dots, dashes and slashes while typing, in inputs marked data-mask. The server accepts values without them.

type Mask = (text: string) => string;

/** Digits with separators inserted before these positions. */
const grouped = (text: string, most: number, separators: Record<number, string>): string =>
  [...text.replace(/\D/g, '').slice(0, most)].map((digit, i) => (separators[i] ?? '') + digit).join('');

function phone(text: string): string {
  const digits = text.replace(/\D/g, '');
  // A number of another country, or with a country code, is left as it is.
  if (text.trim().startsWith('+') || digits.length > 11 || digits.startsWith('0')) return text;
  if (digits.length < 3) return digits;
  const dash = digits.length > 10 ? 7 : 6;
  return grouped(digits, 11, { 0: '(', 2: ') ', [dash]: '-' });
}

const cpf: Mask = (text) => grouped(text, 11, { 3: '.', 6: '.', 9: '-' });

/** Accepts 1/5/1990 as well. */
const date: Mask = (text) => {
  const padded = text.replace(/^(\d)\D/, '0$1/').replace(/^(\d\d)\D?(\d)\D/, '$1/0$2/');
  return grouped(padded, 8, { 2: '/', 4: '/' });
};

/** Removes letters while typing; `wholeMoney` adds separators and centavos when the field is left. */
const money: Mask = (text) => text.replace(/[^\d.,]/g, '');

/** 1500 as 1.500,00. An ambiguous amount (1.500) stays as it is, and the server asks. */
function wholeMoney(text: string): string {
  const [, whole, fraction = ''] =
    /^(\d+|\d{1,3}(?:\.\d{3})+(?=,))(?:[,.](\d{1,2}))?$/.exec(money(text)) ?? [];
  if (!whole) return text;
  const digits = whole.replaceAll('.', '').replace(/^0+(?=\d)/, '');
  return `${digits.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction.padEnd(2, '0')}`;
}

const MASKS: Record<string, { typing: Mask; done: Mask }> = {
  phone: { typing: phone, done: phone },
  cpf: { typing: cpf, done: cpf },
  date: { typing: date, done: date },
  money: { typing: money, done: wholeMoney },
};

const maskOf = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ? MASKS[target.dataset.mask ?? ''] : undefined;

function apply(input: HTMLInputElement, mask: Mask): void {
  const masked = mask(input.value);
  if (masked !== input.value) input.value = masked;
}

// In the capture phase, before other listeners. Not for deletions or edits in the middle: the caret would jump.
document.addEventListener(
  'input',
  (event) => {
    const mask = maskOf(event.target);
    if (!mask) return;
    const input = event.target as HTMLInputElement;
    const { inputType = '', isComposing } = event as InputEvent;
    const isAtEnd = input.selectionStart === null || input.selectionStart === input.value.length;
    if (!inputType.startsWith('delete') && !isComposing && isAtEnd) apply(input, mask.typing);
  },
  true,
);
document.addEventListener('focusout', ({ target }) => {
  const mask = maskOf(target);
  if (mask) apply(target as HTMLInputElement, mask.done);
});
document.addEventListener(
  'submit',
  ({ target }) => {
    for (const input of (target as HTMLFormElement).querySelectorAll<HTMLInputElement>('[data-mask]'))
      apply(input, maskOf(input)!.done);
  },
  true,
);

// Show-password buttons need the script, so they are hidden until now. On submit the field is a password field again.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-show]')) {
  const input = document.getElementById(button.dataset.show!) as HTMLInputElement;
  const show = (isShown: boolean) => {
    input.type = isShown ? 'text' : 'password';
    button.firstChild!.textContent = isShown ? 'Ocultar' : 'Mostrar';
    button.ariaPressed = String(isShown);
  };
  button.hidden = false;
  button.addEventListener('click', () => show(input.type === 'password'));
  input.form?.addEventListener('submit', () => show(false));
}
