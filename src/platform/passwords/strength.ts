import type { Weakness } from './problems.ts';
/** Words that a password must not consist of. */
export type Owner = { phone: string; name: string; email: string };

/** Common additions to a word: a year, a date, 123!. */
const MOST_ADDED = 6;
const SHORTEST_OWN_WORD = 3;
const SHORTEST_OWN_DIGITS = 6;
const LONGEST_PATTERN = 4;

/**
 * Why a password would be guessed early; undefined when it would not. A lookup in lists, not a measure of strength: an attacker
 * gets a few tries an hour, and cannot reach what is on no list.
 */
export async function findWeakness(password: string, owner: Owner): Promise<Weakness | undefined> {
  if (isMadeOf(password, owner)) return 'own_data';
  return isCommon(password, await commonWords()) ? 'common' : undefined;
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/** The passwords that leaked most often, and Portuguese words and names. Takes about 100 ms to load, and 10 MB. */
function commonWords(): Promise<ReadonlySet<string>> {
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
    return new Set(lists.flatMap((list) => list.map(fold)));
  })();
  return loaded;
}

function isCommon(password: string, words: ReadonlySet<string>): boolean {
  const plain = fold(password);
  return [plain, unleet(plain)].some((text) => {
    const repeated = /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
    if (repeated.length <= LONGEST_PATTERN || isSequence(text)) return true;
    const word = repeated.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    const isWord = words.has(word) || words.has(unleet(word));
    return words.has(repeated) || (isWord && text.length - word.length <= MOST_ADDED);
  });
}

/** 23456789, hgfedcba. */
function isSequence(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** Without the owner's own words and digits almost nothing is left. */
function isMadeOf(password: string, { phone, name, email }: Owner): boolean {
  const words = fold(`${name} ${email}`)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST_OWN_WORD);
  const text = fold(password).replace(/[\s().+_-]/g, '');
  const digits = text.match(/\d+/g)?.filter((run) => isPartOf(run, phone)) ?? [];
  const own = [...words, ...digits].sort((a, b) => b.length - a.length);
  const rest = own.reduce((left, word) => left.replaceAll(word, ''), text);
  if (rest === text) return false;
  return rest.length <= MOST_ADDED && rest.replace(/\P{L}/gu, '').length <= 2;
}

const isPartOf = (run: string, phone: string) => run.length >= SHORTEST_OWN_DIGITS && phone.includes(run);

const PLAIN = /^[\x20-\x7e]*$/;

/** Without case and accents. */
const fold = (text: string) =>
  PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const LEET: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

const unleet = (text: string) => text.replace(/[@4310!$57]/g, (sign) => LEET[sign]!);
