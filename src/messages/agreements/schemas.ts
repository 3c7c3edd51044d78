import { Type } from 'typebox';
import { StrictObject, Text, Timestamp } from '#platform/http/schemas.ts';

const AGREEMENT_KINDS = ['terms', 'privacy'] as const;
export type AgreementKind = (typeof AGREEMENT_KINDS)[number];
export type Section = { title: string; text: string };
export const agreementKind = Type.Enum([...AGREEMENT_KINDS], {
  description: '`terms`: the terms of use. `privacy`: the privacy notice.',
});
const version = Type.String({ pattern: '^[0-9A-Za-z.-]{1,40}$', examples: ['2026-11'] });
const EXAMPLE = [{ title: 'O que é a Semana', text: 'A Semana organiza compras a prazo.' }];

export const Agreement = Type.Object(
  {
    kind: agreementKind,
    version,
    sections: Type.Array(
      Type.Object({
        title: Type.String(),
        text: Type.String({ description: 'Plain text; a blank line starts a new paragraph.' }),
      }),
      { examples: [EXAMPLE] },
    ),
  },
  { $id: 'Agreement' },
);

export const StaffAgreement = Type.Object(
  {
    ...Agreement.properties,
    published_by: Type.String({
      description: 'Id of the staff user, or the command line.',
      examples: ['stf_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    }),
    published_at: Timestamp(),
  },
  { $id: 'StaffAgreement' },
);

export const AgreementForm = StrictObject(
  {
    kind: agreementKind,
    version,
    sections: Type.Optional(
      Type.Array(StrictObject({ title: Text(200), text: Text(20_000) }), { minItems: 1, maxItems: 60 }),
    ),
    text: Type.Optional(
      Text(60_000, {
        description: 'Instead of `sections`: plain text; each section begins with a line `## Title`.',
      }),
    ),
  },
  { examples: [{ kind: 'terms', version: '2027-01', sections: EXAMPLE }] },
);
