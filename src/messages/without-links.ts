const SCHEME = /\p{L}[\p{L}\p{N}+.-]*:\/\/+/gu;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';
/** A name with a dot before at least two letters, or an IPv4 address; with what goes before and after it in a link. */
const LINK = new RegExp(
  `(?:[\\p{L}\\p{N}_.+-]+@)?(?:(?:${LABEL}\\.)+(?:\\p{L}{2,}|xn--[\\p{L}\\p{N}-]+)|\\d{1,3}(?:\\.\\d{1,3}){3})(?::\\d+)?(?:[/?#]\\S*)?`,
  'gu',
);

/**
 * The same text with nothing in it that a phone would make a link of: `loja.com.br/x` becomes `loja com br x`. What others write goes into
 * messages in our name, and must lead nowhere.
 */
export const withoutLinks = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('。', '.')
    .replaceAll(SCHEME, '')
    .replaceAll(LINK, (link) => link.replaceAll(/[^\p{L}\p{N}-]+/gu, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
