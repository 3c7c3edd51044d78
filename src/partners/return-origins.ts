import { type FieldError, faultsIn, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where the page of an offer may lead back to: over https, and in the sandbox also to a shop on the same machine. */
export function mayLeadBack({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (mode === 'sandbox' && protocol === 'http:' && LOOPBACK.test(hostname));
}

export const isReturnOrigin = (text: string, mode: Mode): boolean =>
  URL.canParse(text) && new URL(text).origin === text && mayLeadBack(new URL(text), mode);

const NO_ORIGIN = {
  en: 'must be an https origin like https://www.example.com.br, without a path',
  pt: 'deve ser uma origem https como https://www.example.com.br, sem caminho',
};

/** All faults at once. */
export function mustBeReturnOrigins(origins: readonly string[], mode: Mode): void {
  const errors: FieldError[] = origins.flatMap((origin, i) =>
    isReturnOrigin(origin, mode) ? [] : [{ pointer: `/return_origins/${i}`, message: NO_ORIGIN }],
  );
  if (errors.length > 0) throw validationFailed(errors, faultsIn('key', errors.length));
}
