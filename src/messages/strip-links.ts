const SCHEME = /\p{L}[\p{L}\p{N}+.-]*:\/\/+/gu;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';
/** Matches a domain name or an IPv4 address, with the user name before it and the port and path after it. */
const LINK = new RegExp(
  `(?:[\\p{L}\\p{N}_.+-]+@)?(?:(?:${LABEL}\\.)+(?:\\p{L}{2,}|xn--[\\p{L}\\p{N}-]+)|\\d{1,3}(?:\\.\\d{1,3}){3})(?::\\d+)?(?:[/?#]\\S*)?`,
  'gu',
);

/**
 * Removes everything that a phone would turn into a link: `loja.com.br/x` becomes `loja com br x`. Names that third parties choose are
 * part of messages that we send in our name, so they must not contain links.
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

const MAX_NAME_LENGTH = 40;

/** Makes a name that a third party chose safe for our short texts: strips links, and truncates it. */
export function shortenName(name: string, fallback: string): string {
  const characters = [...(stripLinks(name) || fallback)];
  return characters.length > MAX_NAME_LENGTH
    ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
    : characters.join('');
}
