import { type Act, ActLinks } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { scopesInWords } from './lists/names.ts';
import { Code, Facts, When } from './parts.tsx';
import type { MakeOfficePage } from './visit.ts';

const KEPT = 'Guarde agora, porque não é mostrada de novo';

/** What a key may do, by what it is for. */
const USES = {
  'public wallet': 'Site e carteira: catálogo, contatos e clientes',
  public: 'Só o catálogo e os contatos',
  wallet: 'Só a carteira dos clientes',
  merchant: 'O servidor de uma loja',
  till: 'Um balcão: as pessoas das lojas',
};
type Scope = 'public' | 'wallet' | 'merchant' | 'till';

const lines = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const addPartner: Act = {
  path: '/parceiros/novo',
  call: 'createPartner',
  title: 'Novo parceiro',
  back: '/parceiros',
  fields: [{ name: 'name', label: 'Nome', maxLength: 120 }],
  button: 'Criar parceiro',
  async run({ api, idempotencyKey }, sent) {
    const { id } = await api.createPartner({ body: { name: sent.text('name') }, idempotencyKey });
    return { note: 'Parceiro criado. Falta uma chave.', to: `/chaves?partner=${id}` };
  },
};

const addKey: Act = {
  path: '/chaves/nova',
  call: 'createKey',
  title: 'Nova chave',
  back: '/chaves',
  async fields({ api }) {
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
  async run({ api, idempotencyKey }, sent) {
    const body = {
      partner: sent.text('partner'),
      scopes: sent.text('scopes').split(' ') as Scope[],
      ...(sent.text('label') && { label: sent.text('label') }),
      ...(sent.text('merchant') && { merchant: sent.text('merchant') }),
      ...(sent.text('return_origins') && { return_origins: lines(sent.text('return_origins')) }),
    };
    const { key } = await api.createKey({ body, idempotencyKey });
    return `${KEPT}: ${key}`;
  },
};

const rotateKey: Act = {
  path: '/chaves/:id/trocar',
  call: 'rotateKey',
  title: 'Trocar chave',
  back: '/chaves',
  figures: async ({ params }) => (
    <p>
      Faz uma chave nova igual a <Code>{params.id}</Code>. A de agora vale ainda por 24 horas.
    </p>
  ),
  button: 'Fazer a nova',
  async run({ api, params }) {
    const { key } = await api.rotateKey({ path: { id: params.id! }, body: { overlap_hours: 24 } });
    return `${KEPT}: ${key}`;
  },
};

const revoke: Act = {
  path: '/chaves/:id/encerrar',
  call: 'revokeKey',
  title: 'Encerrar chave',
  back: '/chaves',
  figures: async ({ params }) => (
    <p>
      A chave <Code>{params.id}</Code> deixa de valer em um segundo, em todos os servidores. Não há volta.
    </p>
  ),
  button: 'Encerrar',
  async run({ api, params }) {
    await api.revokeKey({ path: { id: params.id! } });
    return 'Chave encerrada.';
  },
};

export const keyPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const { data } = await api.listKeys({ query: { q: params.id! } });
  const key = data.find(({ id }) => id === params.id);
  if (!key) return { to: '/chaves' };
  return {
    body: (
      <OfficeLayout
        title="Chave"
        heading={`Chave de ${key.partner.name}`}
        visit={visit}
        crumbs={[{ href: '/chaves', text: 'Chaves' }]}
        actions={!key.revoked_at && <ActLinks visit={visit} acts={[rotateKey, revoke]} />}
      >
        <Facts
          of={[
            ['Chave', <Code key="h">{key.hint}</Code>],
            ['Para quê', key.label || 'não diz'],
            ['Alcance', scopesInWords(key.scopes)],
            ['Loja', key.merchant ?? 'nenhuma'],
            ['Criada', <When key="c" at={key.created_at} />],
            ['Último uso', <When key="u" at={key.last_used_at} />],
            ['Vale até', key.expires_at ? <When key="e" at={key.expires_at} /> : 'ser encerrada'],
            ['Encerrada', key.revoked_at ? <When key="r" at={key.revoked_at} /> : 'não'],
            ['Sites de volta', key.return_origins.join(', ') || 'nenhum'],
          ]}
        />
      </OfficeLayout>
    ),
  };
};

export const KEY_ACTS: readonly Act[] = [addPartner, addKey, rotateKey, revoke];
