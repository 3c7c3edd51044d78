import type { Weakness } from './problems.ts';

export type PasswordOwner = { phone: string; name: string; email: string };

/** The length of common additions to a word, such as a year, a date, 123!, or its repetition. */
const MAX_ADDED_LENGTH = 6;
const MIN_OWNER_WORD_LENGTH = 3;
const MIN_PHONE_PART_LENGTH = 6;
/** A password that repeats a text of at most this length is common. */
const MAX_PATTERN_LENGTH = 4;
/** A password with more letters than this besides the owner's name and email does not consist of the owner's data. */
const MAX_OTHER_LETTERS = 2;

/** Looks the password up in lists, and computes no entropy: with a few attempts per hour, an attacker cannot guess a password that is on no list. */
export async function findWeakness(password: string, owner: PasswordOwner): Promise<Weakness | undefined> {
  if (consistsOfOwnerData(password, owner)) return 'own_data';
  return isCommon(password, await loadCommonWords()) ? 'common' : undefined;
}

let commonWordsPromise: Promise<ReadonlySet<string>> | undefined;

/** Loads the most commonly leaked passwords, and Portuguese words and names. Takes about 100 ms and 10 MB. */
function loadCommonWords(): Promise<ReadonlySet<string>> {
  commonWordsPromise ??= (async () => {
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
  return commonWordsPromise;
}

function isCommon(password: string, words: ReadonlySet<string>): boolean {
  const foldedPassword = foldText(password);
  return [foldedPassword, undoLeet(foldedPassword)].some((text) => {
    const unit = /^(.+?)\1+$/su.exec(text)?.[1] ?? text; // 'ana' of 'anaana' and of 'ana'
    if (unit.length <= MAX_PATTERN_LENGTH || isSequence(text)) return true;
    const word = unit.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    const isWord = words.has(word) || words.has(undoLeet(word));
    return words.has(unit) || (isWord && text.length - word.length <= MAX_ADDED_LENGTH);
  });
}

function isSequence(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** Whether hardly any of the password remains without the words of the owner's name and email, and digits of the phone. */
function consistsOfOwnerData(password: string, { phone, name, email }: PasswordOwner): boolean {
  const words = foldText(`${name} ${email}`)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_OWNER_WORD_LENGTH);
  const passwordText = foldText(password).replace(/[\s().+_-]/g, '');
  const digits = passwordText.match(/\d+/g)?.filter((digitRun) => isLongPartOfPhone(digitRun, phone)) ?? [];
  const ownerParts = [...words, ...digits].sort((a, b) => b.length - a.length);
  const remainder = ownerParts.reduce((remaining, word) => remaining.replaceAll(word, ''), passwordText);
  if (remainder === passwordText) return false;
  return remainder.length <= MAX_ADDED_LENGTH && remainder.replace(/\P{L}/gu, '').length <= MAX_OTHER_LETTERS;
}

const isLongPartOfPhone = (digitRun: string, phone: string) =>
  digitRun.length >= MIN_PHONE_PART_LENGTH && phone.includes(digitRun);

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
