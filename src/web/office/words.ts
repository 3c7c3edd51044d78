import { isProblem } from '#client';
import { isUnreachable } from '../server/transport.ts';
import type { Faults } from '../server/visit.ts';
import { wait } from '../server/words.ts';

/** What is wrong with a field of a form, before the service is asked. */
export class FieldFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The staff door speaks Portuguese; what is wrong with a field is shown beside it, if the form has it. */
export function officeFaults(error: unknown, fields: readonly string[] = []): Faults {
  if (isUnreachable(error)) return { form: 'O sistema não respondeu. Nada foi feito. Tente de novo.' };
  if (error instanceof FieldFault) return { [error.field]: error.message };
  if (!isProblem(error)) return { form: 'Algo deu errado do nosso lado. Tente de novo daqui a pouco.' };
  if (error.retryAfterMs !== undefined && error.status === 429)
    return { form: `Muitas tentativas. Espere ${wait(error.retryAfterMs)} e tente de novo.` };
  const faults: Faults = {};
  for (const { pointer, message } of error.errors) {
    const name = pointer.slice(1);
    faults[fields.includes(name) ? name : 'form'] = fields.includes(name) ? message : `${name}: ${message}`;
  }
  return Object.keys(faults).length > 0 ? faults : { form: rolesInWords(error.message) };
}

/** Quoted in what the staff door says, as the office calls them. */
export const rolesInWords = (text: string): string =>
  text.replace(/'(\w+)'/g, (quoted, role: string) => ROLE_NAMES[role as keyof typeof ROLE_NAMES] ?? quoted);

export const isSessionOver = (error: unknown): boolean =>
  isProblem(error) && ['session_ended', 'second_factor_missing', 'api_key_missing'].includes(error.code);

export const ROLE_NAMES = {
  viewer: 'Leitura',
  content: 'Conteúdo',
  support: 'Atendimento',
  finance: 'Financeiro',
  admin: 'Administração',
} as const;
