import { Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Reais } from '#platform/http/schemas.ts';
import type { ApprovalDeps } from '../approvals.ts';

export const getAdminFourEyes = ({ settings }: ApprovalDeps) =>
  endpoint('GET /admin/four-eyes', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getFourEyes',
    summary: 'From which amount on an act waits for a second person',
    description: 'So that whoever is about to act knows before. `FOUR_EYES_AMOUNT` sets it.',
    answers: {
      200: {
        description: 'The amount.',
        schema: Type.Object(
          {
            above: Type.Union([Reais('What is over it waits'), Type.Null()], {
              description: 'In reais; null: nothing waits.',
            }),
          },
          { $id: 'FourEyes', examples: [{ above: 1000 }] },
        ),
      },
    },
    handler: async () => ({
      above: settings.fourEyesCents === 0 ? null : toReais(cents(settings.fourEyesCents)),
    }),
  });
