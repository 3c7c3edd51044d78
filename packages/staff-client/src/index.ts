import * as calls from '../../client/src/calls.ts';
import type { operations as Operations } from './openapi.ts';
import type { Schemas } from './openapi-schemas.ts';
import { operations } from './operations.ts';

/** The typed client of the staff API: a function for every operation. */
export type StaffClient = calls.Calls<Operations>;
export type StaffSchemas = Schemas;
export type OperationId = keyof Operations;
/** Operations with a single response, not a stream. */
export type CallId = calls.CallIdOf<Operations>;
export type InputOf<O extends CallId> = calls.InputOf<Operations[O]>;
export type OutputOf<O extends CallId> = calls.OutputOf<Operations[O]>;
export type AnswerOf<O extends CallId> = calls.AnswerOf<Operations[O]>;
export type ListId = calls.ListIdOf<Operations>;
export type Item<O extends ListId> = calls.Listed<Operations[O]>;
export type QueryOf<O extends OperationId> = Operations[O] extends { query?: infer Q }
  ? NonNullable<Q>
  : never;

export const ROLES = ['viewer', 'content', 'support', 'risk', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Roles are sets: each reads what `viewer` reads, and `admin` includes all of them. */
export const hasRole = (role: Role, required: Role | readonly Role[]): boolean =>
  role === 'admin' || [required].flat().some((name) => name === role || name === 'viewer');

/** Whether the staff API allows this role to make the call. */
export const mayCall = (role: Role, operation: OperationId): boolean => {
  const declared = operations[operation];
  return !('role' in declared) || hasRole(role, declared.role);
};

/** Whether the order of the list can be reversed. */
export const isSorted = (operation: ListId): boolean => 'sorted' in operations[operation];

export const createStaffClient = (options: calls.CallsOptions): StaffClient =>
  calls.createCalls<Operations>(operations, options);
