import { act } from './act.tsx';
import { code, moment, text } from './columns.tsx';
import { scopesInWords } from './lists/names.ts';
import { Code } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts } from './tables.tsx';
import { filled, typed, wordsIn } from './typed.ts';
import type { MakeOfficePage } from './visit.ts';

const keepNow = ({ key }: { key: string }) => `Guarde agora, porque não é mostrada de novo: ${key}`;

/** What a key may do, by what it is for. */
const USES = {
  'public wallet': 'Site e carteira: catálogo, contatos e clientes',
  public: 'Só o catálogo e os contatos',
  wallet: 'Só a carteira dos clientes',
  merchant: 'O servidor de uma loja',
  till: 'Um balcão: as pessoas das lojas',
};
type Scope = 'public' | 'wallet' | 'merchant' | 'till';

export const addPartner = act({
  path: '/parceiros/novo',
  call: 'createPartner',
  title: 'Novo parceiro',
  fields: [{ name: 'name', label: 'Nome', maxLength: 120 }],
  button: 'Criar parceiro',
  body: (sent) => typed(sent, 'name'),
  done: ({ id }) => ({ note: 'Parceiro criado. Falta uma chave.', to: `/chaves?partner=${id}` }),
});

export const addKey = act({
  path: '/chaves/nova',
  call: 'createKey',
  title: 'Nova chave',
  async fields(_, { api }) {
    const { data } = await api.listPartners({ query: { limit: 100 } });
    return [
      {
        name: 'partner',
        label: 'Parceiro',
        choices: Object.fromEntries(data.map(({ id, name }) => [id, name])),
      },
      { name: 'scopes', label: 'Para quê', choices: USES },
      { name: 'label', label: 'Anotação', maxLength: 80, optional: true },
      { name: 'merchant', label: 'Loja (endereço)', hint: 'Só da chave de uma loja.', optional: true },
      {
        name: 'return_origins',
        label: 'Sites para onde o cliente volta',
        hint: 'Um por linha: https://loja.example.',
        rows: 2,
        optional: true,
      },
    ];
  },
  button: 'Criar chave',
  body: (sent) => ({
    partner: sent.text('partner'),
    scopes: sent.text('scopes').split(' ') as Scope[],
    ...filled(sent, 'label', 'merchant'),
    ...(sent.text('return_origins') && { return_origins: wordsIn(sent, 'return_origins') }),
  }),
  done: keepNow,
});

export const rotateKey = act({
  path: '/chaves/:id/trocar',
  call: 'rotateKey',
  title: 'Trocar chave',
  back: '/chaves',
  figures: (_, { params }) => (
    <p>
      Faz uma chave nova igual a <Code>{params.id}</Code>. A de agora vale ainda por 24 horas.
    </p>
  ),
  button: 'Fazer a nova',
  body: () => ({ overlap_hours: 24 }),
  done: keepNow,
});

export const revokeKey = act({
  path: '/chaves/:id/encerrar',
  call: 'revokeKey',
  title: 'Encerrar chave',
  back: '/chaves',
  figures: (_, { params }) => (
    <p>
      A chave <Code>{params.id}</Code> deixa de valer em um segundo, em todos os servidores. Não há volta.
    </p>
  ),
  button: 'Encerrar',
  done: 'Chave encerrada.',
});

export const keyPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const { data } = await api.listKeys({ query: { q: params.id! } });
  const key = data.find(({ id }) => id === params.id);
  if (!key) return { to: '/chaves' };
  return (
    <RecordLayout
      title="Chave"
      heading={`Chave de ${key.partner.name}`}
      visit={visit}
      acts={!key.revoked_at && [rotateKey, revokeKey]}
    >
      <Facts
        of={key}
        are={[
          code('Chave', 'hint'),
          ['Para quê', key.label || 'não diz'],
          ['Alcance', scopesInWords(key.scopes)],
          text('Loja', 'merchant', 'nenhuma'),
          moment('Criada', 'created_at'),
          moment('Último uso', 'last_used_at'),
          moment('Vale até', 'expires_at', 'ser encerrada'),
          moment('Encerrada', 'revoked_at', 'não'),
          ['Sites de volta', key.return_origins.join(', ') || 'nenhum'],
        ]}
      />
    </RecordLayout>
  );
};
