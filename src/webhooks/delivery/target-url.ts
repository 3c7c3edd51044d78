import type { Bilingual } from '#core/values/bilingual.ts';
import { refusePrivateIpLiteral } from '#platform/http/ip-addresses.ts';
import { invalidField } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';

const MAX_URL_LENGTH = 2_000;

const NOT_PUBLIC: Bilingual = {
  en: 'must be reachable from the internet',
  pt: 'deve ser público na internet',
};

/** Returns why a webhook URL is invalid, or undefined if it is valid. The host name is resolved and checked at each delivery. */
export function findUrlViolation(text: string, mode: Mode): Bilingual | undefined {
  if (text.length > MAX_URL_LENGTH)
    return {
      en: `must have at most ${MAX_URL_LENGTH} characters`,
      pt: `deve ter no máximo ${MAX_URL_LENGTH} caracteres`,
    };
  if (!URL.canParse(text))
    return {
      en: 'must be a complete URL, like https://www.example.com.br/hook',
      pt: 'deve ser completo, como https://www.example.com.br/hook',
    };
  const url = new URL(text);
  if (url.protocol !== 'https:' && (mode === 'live' || url.protocol !== 'http:'))
    return mode === 'live'
      ? { en: 'must begin with https://', pt: 'deve começar com https://' }
      : { en: 'must begin with https:// or http://', pt: 'deve começar com https:// ou http://' };
  if (url.username || url.password)
    return { en: 'must not contain a user name or password', pt: 'não pode ter usuário nem senha' };
  if (url.hash || text.endsWith('#'))
    return { en: 'must not have a fragment', pt: 'não pode ter fragmento (#)' };
  return mode === 'live' ? findHostViolation(url) : undefined;
}

function findHostViolation(url: URL): Bilingual | undefined {
  if (/^(.*\.)?(localhost|local|internal)\.?$/.test(url.hostname)) return NOT_PUBLIC;
  try {
    refusePrivateIpLiteral(url);
    return undefined;
  } catch (error) {
    return { ...NOT_PUBLIC, en: `${NOT_PUBLIC.en}: ${(error as Error).message}` };
  }
}

/** Returns the normalized URL of a webhook. Throws if it is invalid. */
export function parseTargetUrl(text: string, mode: Mode): string {
  const violation = findUrlViolation(text, mode);
  if (violation)
    throw invalidField('/url', violation, {
      en: `The URL ${violation.en}.`,
      pt: `O endereço ${violation.pt}.`,
    });
  return new URL(text).href;
}
