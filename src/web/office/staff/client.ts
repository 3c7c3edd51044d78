import type { Transport } from '#client';
import { type Calls, createCalls, type Listed, type ListIdOf } from '#client/calls.ts';
import type { operations as Operations } from './openapi.ts';
import type { Schemas } from './openapi-schemas.ts';
import { operations } from './operations.ts';

/** The typed client of the staff door: a function for every operation. */
export type StaffClient = Calls<Operations>;
export type StaffSchemas = Schemas;
export type OperationId = keyof Operations;
export type ListId = ListIdOf<Operations>;
export type Item<O extends ListId> = Listed<Operations[O]>;
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
  return createCalls<Operations>(operations, {
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
