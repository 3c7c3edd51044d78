import type { Transport } from '#client';
import * as calls from '#client/calls.ts';
import type { operations as Operations } from './openapi.ts';
import type { Schemas } from './openapi-schemas.ts';
import { operations } from './operations.ts';

/** The typed client of the staff door: a function for every operation. */
export type StaffClient = calls.Calls<Operations>;
export type StaffSchemas = Schemas;
export type OperationId = keyof Operations;
/** Operations that answer once. */
export type CallId = calls.CallIdOf<Operations>;
export type InputOf<O extends CallId> = calls.InputOf<Operations[O]>;
export type OutputOf<O extends CallId> = calls.OutputOf<Operations[O]>;
export type AnswerOf<O extends CallId> = calls.AnswerOf<Operations[O]>;
export type ListId = calls.ListIdOf<Operations>;
export type Item<O extends ListId> = calls.Listed<Operations[O]>;
export type QueryOf<O extends OperationId> = Operations[O] extends { query?: infer Q }
  ? NonNullable<Q>
  : never;

export const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether the staff door lets this role make the call. */
export const mayCall = (role: Role, operation: OperationId): boolean => {
  const declared = operations[operation];
  return !('role' in declared) || ROLES.indexOf(role) >= ROLES.indexOf(declared.role);
};

/** Whether the list can be turned round. */
export const isSorted = (operation: ListId): boolean => 'sorted' in operations[operation];

export const createStaffClient = (options: {
  url: string;
  transport: Transport;
  /** The address of whom the office calls for. */
  address: string;
  agent: string;
  session?: string | undefined;
}): StaffClient => {
  const { url, transport, address, agent, session } = options;
  return calls.createCalls<Operations>(operations, {
    url,
    transport,
    headers: {
      'accept-language': 'pt-BR',
      'x-client-ip': address,
      'user-agent': agent,
      ...(session && { authorization: `Bearer ${session}` }),
    },
  });
};
