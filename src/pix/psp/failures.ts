import { withoutSecrets } from './redact.ts';

/**
 * The PSP could not be reached, did not answer in time, or its answer is not understood: retry later. `effect`: 'none' means that
 * the request was certainly not carried out, 'unknown' that it may have been.
 */
export class PspUnavailable extends Error {
  readonly reason: UnavailableReason;
  readonly effect: 'none' | 'unknown';
  readonly retryAfterMs: number | null;

  constructor(
    reason: UnavailableReason,
    effect: 'none' | 'unknown',
    extras: { note?: string; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(
      `${MEANINGS[reason]}${extras.note ? ` (${extras.note})` : ''}`,
      extras.cause === undefined ? {} : { cause: extras.cause },
    );
    this.name = 'PspUnavailable';
    this.reason = reason;
    this.effect = effect;
    this.retryAfterMs = extras.retryAfterMs ?? null;
  }
}

type UnavailableReason = keyof typeof MEANINGS;

const MEANINGS = {
  unreachable: 'The PSP cannot be reached',
  timeout: 'The PSP did not answer in time',
  overloaded: 'The PSP asks for fewer requests',
  server_error: 'The PSP failed at its side',
  garbled: 'The answer of the PSP cannot be understood',
  credentials: 'The PSP does not accept our credentials',
  in_doubt: 'The PSP does not say whether the request was carried out',
};

export type Violation = { property: string; reason: string };

/**
 * The PSP refused; nothing was done. Everything in it may be shown to the operator: numbers and names that could be the payer's
 * are removed from the PSP's text.
 */
export class PspRefused extends Error {
  readonly status: number;
  /** The last part of the standard's `type` (CobOperacaoInvalida), or the PSP's own code (txid_duplicado). */
  readonly type: string;
  readonly detail: string;
  readonly violations: Violation[];

  constructor(status: number, said: { type: string; detail: string; violations: Violation[] }) {
    super(`The PSP refused: ${said.type} (${status})${said.detail ? `, ${said.detail}` : ''}`);
    this.name = 'PspRefused';
    this.status = status;
    this.type = said.type;
    this.detail = said.detail;
    this.violations = said.violations;
  }

  /** All that the PSP said of it, in one line. */
  get reason(): string {
    return [this.message, ...this.violations.map(({ reason }) => reason)].filter(Boolean).join(': ');
  }
}

/** Parses the refusals of PSPs: RFC 7807 with `violacoes`, Efí's own format, or OAuth2's. */
export function readRefusal(status: number, body: unknown, secrets: readonly string[]): PspRefused {
  const said = asRecord(body);
  const clean = (value: unknown) => (typeof value === 'string' ? withoutSecrets(value, secrets) : '');
  const type = clean(said.type).split('/').at(-1) || clean(said.nome) || clean(said.error);
  const detail =
    clean(said.detail) || clean(said.mensagem) || clean(said.error_description) || clean(said.title);
  const violations = [said.violacoes, said.erros]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map(asRecord)
    .map((violation) => ({
      property: clean(violation.propriedade) || clean(violation.caminho),
      reason: clean(violation.razao) || clean(violation.mensagem),
    }));
  return new PspRefused(status, { type: type || 'unknown', detail, violations });
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Undefined when the PSP refuses, or its answer cannot be parsed. */
export async function readable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    if (error instanceof PspUnavailable && error.reason === 'garbled') return undefined;
    throw error;
  }
}
