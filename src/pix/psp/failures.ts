import { asRecord } from './translate.ts';

/**
 * A request to the PSP got no response that can be relied on: retry later. `effect`: 'none' means that the request was certainly not
 * carried out, 'unknown' that it may have been.
 */
export class PspUnavailable extends Error {
  readonly reason: UnavailableReason;
  readonly effect: 'none' | 'unknown';
  readonly retryAfterMs: number | null;

  constructor(
    reason: UnavailableReason,
    details: { effect: 'none' | 'unknown'; note?: string; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(
      `${MESSAGES[reason]}${details.note ? ` (${details.note})` : ''}`,
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.name = 'PspUnavailable';
    this.reason = reason;
    this.effect = details.effect;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

type UnavailableReason = keyof typeof MESSAGES;

const MESSAGES = {
  unreachable: 'The PSP cannot be reached',
  timeout: 'The PSP did not respond in time',
  overloaded: 'The PSP limits our requests',
  server_error: 'The PSP returned an error',
  garbled: 'The response of the PSP cannot be parsed',
  credentials: 'The PSP does not accept our credentials',
  in_doubt: 'It is unknown whether the PSP carried out the request',
};

export type Violation = { property: string; reason: string };

/**
 * The PSP refused the request; nothing was done. All fields may be shown to the operator: possible personal data of the
 * payer is removed from the PSP's text.
 */
export class PspRefused extends Error {
  readonly status: number;
  /** The last segment of the standard's `type` (CobOperacaoInvalida), or the PSP's own code (txid_duplicado). */
  readonly type: string;
  readonly detail: string;
  readonly violations: Violation[];

  constructor(status: number, fields: { type: string; detail: string; violations: Violation[] }) {
    super(`The PSP refused: ${fields.type} (${status})${fields.detail ? `, ${fields.detail}` : ''}`);
    this.name = 'PspRefused';
    this.status = status;
    this.type = fields.type;
    this.detail = fields.detail;
    this.violations = fields.violations;
  }

  /** The refusal with its violations, in one line. */
  get description(): string {
    return [this.message, ...this.violations.map(({ reason }) => reason)].filter(Boolean).join(': ');
  }
}

export const isPspError = (error: unknown): error is PspUnavailable | PspRefused =>
  error instanceof PspUnavailable || error instanceof PspRefused;

/** Parses an error response: RFC 7807 with `violacoes`, Efí's own format, or OAuth2's. */
export function parseRefusal(status: number, body: unknown, secrets: readonly string[]): PspRefused {
  const fields = asRecord(body);
  const redactText = (value: unknown) => (typeof value === 'string' ? redact(value, secrets) : '');
  const type =
    redactText(fields.type).split('/').at(-1) || redactText(fields.nome) || redactText(fields.error);
  const detail =
    redactText(fields.detail) ||
    redactText(fields.mensagem) ||
    redactText(fields.error_description) ||
    redactText(fields.title);
  const violations = [fields.violacoes, fields.erros]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map(asRecord)
    .map((violation) => ({
      property: redactText(violation.propriedade) || redactText(violation.caminho),
      reason: redactText(violation.razao) || redactText(violation.mensagem),
    }));
  return new PspRefused(status, { type: type || 'unknown', detail, violations });
}

/** Makes a call. Returns undefined if the PSP refuses, or its response cannot be parsed. */
export async function tryPspCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    if (error instanceof PspUnavailable && error.reason === 'garbled') return undefined;
    throw error;
  }
}

const MAX_TEXT_LENGTH = 300;
/** Eight digits or more, with any punctuation: a CPF, CNPJ, phone or account number, but no status or year. */
const LONG_NUMBERS = /\+?\d(?:[\s.\-/()]{0,2}\d){7,}/g;
const EMAIL_ADDRESSES = /[^\s@"'<>]+@[^\s@"'<>]+/g;

/** Removes known secrets, and what looks like personal data, from a PSP's text, so that it may be logged and displayed. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= 3) redacted = redacted.replaceAll(new RegExp(escapeRegExp(secret), 'gi'), '…');
  }
  return redacted
    .replace(EMAIL_ADDRESSES, '…')
    .replace(LONG_NUMBERS, '…')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_TEXT_LENGTH)
    .trim();
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
