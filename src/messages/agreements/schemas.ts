import { Type } from 'typebox';
import { Form, Text, Timestamp } from '#platform/http/schemas.ts';
import { AGREEMENT_KINDS } from './store.ts';

export const agreementKind = Type.Enum([...AGREEMENT_KINDS], {
  description: '`terms`: of use. `privacy`: what is done with personal data.',
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
        text: Type.String({ description: 'Plain text; a blank line begins a paragraph.' }),
      }),
      { examples: [EXAMPLE] },
    ),
  },
  { $id: 'Agreement' },
);

export const StaffAgreement = Type.Object(
  {
    ...Agreement.properties,
    published_by: Type.String({ description: 'The person, or the command line.' }),
    published_at: Timestamp(),
  },
  { $id: 'StaffAgreement' },
);

export const AgreementForm = Form(
  {
    kind: agreementKind,
    version,
    sections: Type.Array(Form({ title: Text(200), text: Text(20_000) }), { minItems: 1, maxItems: 60 }),
  },
  { examples: [{ kind: 'terms', version: '2027-01', sections: EXAMPLE }] },
);
