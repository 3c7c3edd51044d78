// Inserts dots, dashes and slashes while the visitor types into an input marked data-mask. The server also accepts values without
// them. Also shows and hides passwords.

type Mask = (text: string) => string;

const LANDLINE_DIGITS = 10;
const MOBILE_DIGITS = 11;
const CPF_DIGITS = 11;
const DATE_DIGITS = 8;

/** Inserts each separator before the digit at its position. */
const insertSeparators = (text: string, maxDigits: number, separators: Record<number, string>): string =>
  [...text.replace(/\D/g, '').slice(0, maxDigits)].map((digit, i) => (separators[i] ?? '') + digit).join('');

function maskPhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  // A foreign number, or one with a country code, is left unchanged.
  if (text.trim().startsWith('+') || digits.length > MOBILE_DIGITS || digits.startsWith('0')) return text;
  if (digits.length < 3) return digits;
  const dashPosition = digits.length > LANDLINE_DIGITS ? 7 : 6;
  return insertSeparators(digits, MOBILE_DIGITS, { 0: '(', 2: ') ', [dashPosition]: '-' });
}

const maskCpf: Mask = (text) => insertSeparators(text, CPF_DIGITS, { 3: '.', 6: '.', 9: '-' });

/** Also accepts 1/5/1990. */
const maskDate: Mask = (text) => {
  const paddedText = text.replace(/^(\d)\D/, '0$1/').replace(/^(\d\d)\D?(\d)\D/, '$1/0$2/');
  return insertSeparators(paddedText, DATE_DIGITS, { 2: '/', 4: '/' });
};

/** Removes letters while typing; `completeMoney` adds separators and centavos when the field loses the focus. */
const maskMoney: Mask = (text) => text.replace(/[^\d.,]/g, '');

/** `1500`, or with centavos: `1500,00`, `1500.00` or `1.500,00`. */
const AMOUNT_PATTERN = /^(\d+|\d{1,3}(?:\.\d{3})+(?=,))(?:[,.](\d{1,2}))?$/;

/** Formats 1500 as 1.500,00. An ambiguous amount (1.500) is left unchanged, and the server reports an error. */
function completeMoney(text: string): string {
  const [, reais, centavos = ''] = AMOUNT_PATTERN.exec(maskMoney(text)) ?? [];
  if (!reais) return text;
  const digits = reais.replaceAll('.', '').replace(/^0+(?=\d)/, '');
  return `${digits.replace(/\B(?=(\d{3})+$)/g, '.')},${centavos.padEnd(2, '0')}`;
}

const MASKS: Record<string, { onInput: Mask; onLeave: Mask }> = {
  phone: { onInput: maskPhone, onLeave: maskPhone },
  cpf: { onInput: maskCpf, onLeave: maskCpf },
  date: { onInput: maskDate, onLeave: maskDate },
  money: { onInput: maskMoney, onLeave: completeMoney },
};

const findMask = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ? MASKS[target.dataset.mask ?? ''] : undefined;

function applyMask(input: HTMLInputElement, mask: Mask): void {
  const maskedText = mask(input.value);
  if (maskedText !== input.value) input.value = maskedText;
}

// Masks run in the capture phase, before other listeners. They skip deletions and edits in the middle, where the caret would jump.
document.addEventListener(
  'input',
  (event) => {
    const mask = findMask(event.target);
    if (!mask) return;
    const input = event.target as HTMLInputElement;
    const { inputType = '', isComposing } = event as InputEvent;
    const isAtEnd = input.selectionStart === null || input.selectionStart === input.value.length;
    if (!inputType.startsWith('delete') && !isComposing && isAtEnd) applyMask(input, mask.onInput);
  },
  true,
);
document.addEventListener('focusout', ({ target }) => {
  const mask = findMask(target);
  if (mask) applyMask(target as HTMLInputElement, mask.onLeave);
});
document.addEventListener(
  'submit',
  ({ target }) => {
    for (const input of (target as HTMLFormElement).querySelectorAll<HTMLInputElement>('[data-mask]'))
      applyMask(input, findMask(input)!.onLeave);
  },
  true,
);

// Show-password buttons need this script, so the page renders them hidden. On submit the field becomes a password field again.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-show]')) {
  const input = document.getElementById(button.dataset.show!) as HTMLInputElement;
  const setVisible = (isVisible: boolean) => {
    input.type = isVisible ? 'text' : 'password';
    button.firstChild!.textContent = isVisible ? 'Ocultar' : 'Mostrar';
    button.ariaPressed = String(isVisible);
  };
  button.hidden = false;
  button.addEventListener('click', () => setVisible(input.type === 'password'));
  input.form?.addEventListener('submit', () => setVisible(false));
}
