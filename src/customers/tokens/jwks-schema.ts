import { Type } from 'typebox';

export const Jwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String(),
        crv: Type.String(),
        x: Type.String(),
        kid: Type.String(),
        alg: Type.String(),
        use: Type.String(),
      }),
    ),
  },
  {
    $id: 'Jwks',
    examples: [
      {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'tk_01kfx3c8gq5v0m7d2h9ynwztb4',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
    ],
  },
);
