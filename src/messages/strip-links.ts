const SCHEME = /\p{L}[\p{L}\p{N}+.-]*:\/\/+/gu;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';
/** A domain name or an IPv4 address, with what may precede and follow it in a link. */
const LINK = new RegExp(
  `(?:[\\p{L}\\p{N}_.+-]+@)?(?:(?:${LABEL}\\.)+(?:\\p{L}{2,}|xn--[\\p{L}\\p{N}-]+)|\\d{1,3}(?:\\.\\d{1,3}){3})(?::\\d+)?(?:[/?#]\\S*)?`,
  'gu',
);

/**
 * Removes everything that a phone would turn into a link: `loja.com.br/x` becomes `loja com br x`. Names that third parties choose are
 * part of messages in our name and must not link anywhere.
 */
export const stripLinks = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('。', '.')
    .replaceAll(SCHEME, '')
    .replaceAll(LINK, (link) => link.replaceAll(/[^\p{L}\p{N}-]+/gu, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
