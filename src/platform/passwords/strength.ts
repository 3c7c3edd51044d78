import type { Weakness } from './problems.ts';
export type PasswordOwner = { phone: string; name: string; email: string };

/** The length of common additions to a word: a year, a date, 123!. */
const MAX_ADDED_LENGTH = 6;
const MIN_OWN_WORD_LENGTH = 3;
const MIN_OWN_DIGITS_LENGTH = 6;
const MAX_PATTERN_LENGTH = 4;

/** A lookup in lists, not a measure of strength: an attacker gets a few attempts per hour and cannot guess what is on no list. */
export async function findWeakness(password: string, owner: PasswordOwner): Promise<Weakness | undefined> {
  if (consistsOfOwnData(password, owner)) return 'own_data';
  return isCommon(password, await loadCommonWords()) ? 'common' : undefined;
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/** Loads the most commonly leaked passwords, and Portuguese words and names. Takes about 100 ms and 10 MB. */
function loadCommonWords(): Promise<ReadonlySet<string>> {
  loaded ??= (async () => {
    const [{ dictionary: passwords }, { dictionary: portuguese }] = await Promise.all([
      import('@zxcvbn-ts/language-common'),
      import('@zxcvbn-ts/language-pt-br'),
    ]);
    const lists = [
      passwords['passwords-common'],
      portuguese['commonWords-pt-br'],
      portuguese['firstnames-pt-br'],
      portuguese['lastnames-pt-br'],
      portuguese['wikipedia-pt-br'],
    ];
    return new Set(lists.flatMap((list) => list.map(foldText)));
  })();
  return loaded;
}

function isCommon(password: string, words: ReadonlySet<string>): boolean {
  const folded = foldText(password);
  return [folded, undoLeet(folded)].some((text) => {
    const repeated = /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
    if (repeated.length <= MAX_PATTERN_LENGTH || isSequence(text)) return true;
    const word = repeated.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    const isWord = words.has(word) || words.has(undoLeet(word));
    return words.has(repeated) || (isWord && text.length - word.length <= MAX_ADDED_LENGTH);
  });
}

function isSequence(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** Whether almost nothing is left of the password without the owner's own words and digits. */
function consistsOfOwnData(password: string, { phone, name, email }: PasswordOwner): boolean {
  const words = foldText(`${name} ${email}`)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_OWN_WORD_LENGTH);
  const text = foldText(password).replace(/[\s().+_-]/g, '');
  const digits = text.match(/\d+/g)?.filter((run) => isPartOf(run, phone)) ?? [];
  const ownParts = [...words, ...digits].sort((a, b) => b.length - a.length);
  const rest = ownParts.reduce((left, word) => left.replaceAll(word, ''), text);
  if (rest === text) return false;
  return rest.length <= MAX_ADDED_LENGTH && rest.replace(/\P{L}/gu, '').length <= 2;
}

const isPartOf = (run: string, phone: string) => run.length >= MIN_OWN_DIGITS_LENGTH && phone.includes(run);

const ASCII = /^[\x20-\x7e]*$/;

/** Removes case and accents. */
const foldText = (text: string) =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const LEET: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

const undoLeet = (text: string) => text.replace(/[@4310!$57]/g, (character) => LEET[character]!);
