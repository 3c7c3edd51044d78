import { describeErrorCount, type FieldError, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the page of an offer may link back to the URL: https, and in the sandbox also http on the same machine. */
export function isAllowedReturnUrl({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (mode === 'sandbox' && protocol === 'http:' && LOOPBACK.test(hostname));
}

export const isReturnOrigin = (text: string, mode: Mode): boolean =>
  URL.canParse(text) && new URL(text).origin === text && isAllowedReturnUrl(new URL(text), mode);

const INVALID_ORIGIN = {
  en: 'must be an https origin like https://www.example.com.br, without a path',
  pt: 'deve ser uma origem https como https://www.example.com.br, sem caminho',
};

export function assertReturnOrigins(origins: readonly string[], mode: Mode): void {
  const errors: FieldError[] = origins.flatMap((origin, i) =>
    isReturnOrigin(origin, mode) ? [] : [{ pointer: `/return_origins/${i}`, message: INVALID_ORIGIN }],
  );
  if (errors.length > 0) throw validationFailed(errors, describeErrorCount('key', errors.length));
}
