import { Type } from 'typebox';
import { Id } from '#platform/http/schemas.ts';

/** The member of the merchant who made it. Null: the merchant's own server, or the operator. */
export type By = { id: string; name: string } | null;

export const BySchema = () =>
  Type.Unsafe<By>({
    anyOf: [Type.Object({ id: Id('mbr'), name: Type.String() }), { type: 'null' }],
    description: 'Which member of the merchant made it; null: the merchant’s own server, or the operator.',
  });

export const exampleBy = { id: 'mbr_01kfx3c8gq5v0m7d2h9ynwztb4', name: 'Téo Nogueira' };
