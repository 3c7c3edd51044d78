import { type Act, ActLinks, ifMatch, version } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { YES_NO } from './lists/names.ts';
import { Facts, Section, Status, Table } from './parts.tsx';
import type { MakeOfficePage } from './visit.ts';

const CATEGORY = '/categorias/:slug';
const FAQ = '/perguntas/:id';

const addCategory: Act = {
  path: '/categorias/nova',
  call: 'createCategory',
  title: 'Nova categoria',
  back: '/categorias',
  fields: [
    { name: 'slug', label: 'Endereço', hint: 'Letras minúsculas e hífens: material-escolar.', maxLength: 80 },
    { name: 'name', label: 'Nome', maxLength: 80 },
  ],
  button: 'Criar categoria',
  async run({ api, idempotencyKey }, sent) {
    const body = { slug: sent.text('slug'), name: sent.text('name') };
    await api.createCategory({ body, idempotencyKey });
    return 'Categoria criada.';
  },
};

const rename: Act = {
  path: `${CATEGORY}/editar`,
  call: 'changeCategory',
  title: 'Mudar o nome',
  back: CATEGORY,
  async fields({ api, params }) {
    const read = await api.call('getCategoryForStaff', { path: { slug: params.slug! } });
    return [version(read), { name: 'name', label: 'Nome', value: read.data.name, maxLength: 80 }];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    const body = { name: sent.text('name') };
    await api.changeCategory({ path: { slug: params.slug! }, body, ...ifMatch(sent) });
    return 'Categoria salva. O site mostra em um segundo.';
  },
};

const removeCategory: Act = {
  path: `${CATEGORY}/remover`,
  call: 'removeCategory',
  title: 'Remover',
  back: '/categorias',
  figures: async () => <p>Só se remove uma categoria sem lojas.</p>,
  button: 'Remover categoria',
  async run({ api, params }) {
    await api.removeCategory({ path: { slug: params.slug! } });
    return 'Categoria removida.';
  },
};

export const categoryPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const [category, merchants] = await Promise.all([
    api.getCategoryForStaff({ path: { slug: params.slug! } }),
    api.listMerchantForStaff({ query: { category: params.slug!, limit: 20 } }),
  ]);
  return {
    body: (
      <OfficeLayout
        title="Categoria"
        heading={category.name}
        visit={visit}
        crumbs={[{ href: '/categorias', text: 'Categorias' }]}
        actions={<ActLinks visit={visit} acts={[rename, removeCategory]} />}
      >
        <Facts of={[['Endereço', category.slug]]} />
        <Section title="Lojas" more={{ href: `/lojas?category=${category.slug}`, text: 'Todas' }}>
          <Table
            caption="Lojas"
            rows={merchants.data}
            open={({ slug }) => `/lojas/${slug}`}
            columns={[
              { title: 'Loja', show: ({ name }) => name },
              { title: 'No site', show: ({ listed }) => <Status of={String(listed)} names={YES_NO} /> },
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};

/** Fields of a question, as they are typed. */
const faqFields = (entry?: { question: string; topic: string; answer: string; listed: boolean }) => [
  { name: 'question', label: 'Pergunta', value: entry?.question, maxLength: 300 },
  {
    name: 'topic',
    label: 'Assunto',
    hint: 'Letras minúsculas e hífens: custos.',
    value: entry?.topic,
    maxLength: 80,
  },
  { name: 'answer', label: 'Resposta', value: entry?.answer, rows: 8, maxLength: 5000 },
  { name: 'listed', label: 'No site', choices: YES_NO, value: String(entry?.listed ?? true) },
];
const faqIn = (sent: { text(name: string): string }) => ({
  question: sent.text('question'),
  topic: sent.text('topic'),
  answer: sent.text('answer'),
  listed: sent.text('listed') === 'true',
});

const addFaq: Act = {
  path: '/perguntas/nova',
  call: 'createFaqEntry',
  title: 'Nova pergunta',
  back: '/perguntas',
  fields: [
    { name: 'id', label: 'Nome curto', hint: 'Letras minúsculas e hífens: o-que-e-cet.', maxLength: 80 },
    ...faqFields(),
  ],
  button: 'Salvar',
  async run({ api, idempotencyKey }, sent) {
    const { id } = await api.createFaqEntry({
      body: { id: sent.text('id'), ...faqIn(sent) },
      idempotencyKey,
    });
    return { note: 'Pergunta salva. O site mostra em um segundo.', to: `/perguntas/${id}` };
  },
};

const editFaq: Act = {
  path: `${FAQ}/editar`,
  call: 'changeFaqEntry',
  title: 'Editar',
  back: FAQ,
  async fields({ api, params }) {
    const read = await api.call('getFaqEntryForStaff', { path: { id: params.id! } });
    return [version(read), ...faqFields(read.data)];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    await api.changeFaqEntry({ path: { id: params.id! }, body: faqIn(sent), ...ifMatch(sent) });
    return 'Pergunta salva. O site mostra em um segundo.';
  },
};

const removeFaq: Act = {
  path: `${FAQ}/remover`,
  call: 'removeFaqEntry',
  title: 'Remover',
  back: '/perguntas',
  figures: async () => <p>Sai do site e da lista. Para só esconder, edite e tire do site.</p>,
  button: 'Remover pergunta',
  async run({ api, params }) {
    await api.removeFaqEntry({ path: { id: params.id! } });
    return 'Pergunta removida.';
  },
};

export const faqPage: MakeOfficePage = async (visit) => {
  const entry = await visit.api.getFaqEntryForStaff({ path: { id: visit.params.id! } });
  return {
    body: (
      <OfficeLayout
        title="Pergunta"
        heading={entry.question}
        visit={visit}
        crumbs={[{ href: '/perguntas', text: 'Perguntas' }]}
        actions={<ActLinks visit={visit} acts={[editFaq, removeFaq]} />}
      >
        <Facts
          of={[
            ['Assunto', entry.topic],
            ['Posição', entry.position],
            ['No site', <Status key="s" of={String(entry.listed)} names={YES_NO} />],
          ]}
        />
        <p class="office-text">{entry.answer}</p>
      </OfficeLayout>
    ),
  };
};

export const CATALOG_ACTS: readonly Act[] = [addCategory, rename, removeCategory, addFaq, editFaq, removeFaq];
