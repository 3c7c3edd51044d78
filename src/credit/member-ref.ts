import { Type } from 'typebox';
import { Id } from '#platform/http/schemas.ts';

/** The member of the merchant who created a record; null if the merchant's own server or the operator did. */
export type MemberRef = { id: string; name: string } | null;

export const MemberRefSchema = () =>
  Type.Unsafe<MemberRef>({
    anyOf: [Type.Object({ id: Id('mbr'), name: Type.String() }), { type: 'null' }],
    description:
      'The member of the merchant who created it; null if the merchant’s own server or the operator did.',
  });

export const exampleMember = { id: 'mbr_01kfx3c8gq5v0m7d2h9ynwztb4', name: 'Téo Nogueira' };
