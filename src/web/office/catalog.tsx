import type { Sent } from '../server/visit.ts';
import { type ActField, act } from './act.tsx';
import { state, text } from './columns.tsx';
import { YES_NO } from './lists/names.ts';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, TableSection } from './tables.tsx';
import { typed } from './typed.ts';
import type { MakeOfficePage } from './visit.ts';

const CATEGORY = '/categorias/:slug';
const FAQ = '/perguntas/:id';

export const addCategory = act({
  path: '/categorias/nova',
  call: 'createCategory',
  title: 'Nova categoria',
  fields: [
    { name: 'slug', label: 'Endereço', hint: 'Letras minúsculas e hífens: material-escolar.', maxLength: 80 },
    { name: 'name', label: 'Nome', maxLength: 80 },
  ],
  button: 'Criar categoria',
  body: (sent) => typed(sent, 'slug', 'name'),
  done: 'Categoria criada.',
});

export const renameCategory = act({
  path: `${CATEGORY}/editar`,
  call: 'changeCategory',
  title: 'Mudar o nome',
  edits: 'getCategoryForStaff',
  fields: ({ name }) => [{ name: 'name', label: 'Nome', value: name, maxLength: 80 }],
  button: 'Salvar',
  body: (sent) => typed(sent, 'name'),
  done: 'Categoria salva. O site mostra em um segundo.',
});

export const removeCategory = act({
  path: `${CATEGORY}/remover`,
  call: 'removeCategory',
  title: 'Remover',
  back: '/categorias',
  says: 'Só se remove uma categoria sem lojas.',
  button: 'Remover categoria',
  done: 'Categoria removida.',
});

export const categoryPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const [category, merchants] = await Promise.all([
    api.getCategoryForStaff({ path: { slug: params.slug! } }),
    api.listMerchantForStaff({ query: { category: params.slug!, limit: 20 } }),
  ]);
  return (
    <RecordLayout
      title="Categoria"
      heading={category.name}
      visit={visit}
      acts={[renameCategory, removeCategory]}
    >
      <Facts of={category} are={[text('Endereço', 'slug')]} />
      <TableSection
        title="Lojas"
        more={{ href: `/lojas?category=${category.slug}`, text: 'Todas' }}
        rows={merchants.data}
        open={({ slug }) => `/lojas/${slug}`}
        columns={[text('Loja', 'name'), state('No site', 'listed', YES_NO)]}
      />
    </RecordLayout>
  );
};

/** Fields of a question, as they are typed. */
const faqFields = (entry?: StaffSchemas['StaffFaqEntry']): ActField[] => [
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
const faqIn = (sent: Sent) => ({
  ...typed(sent, 'question', 'topic', 'answer'),
  listed: sent.text('listed') === 'true',
});

export const addFaq = act({
  path: '/perguntas/nova',
  call: 'createFaqEntry',
  title: 'Nova pergunta',
  fields: [
    { name: 'id', label: 'Nome curto', hint: 'Letras minúsculas e hífens: o-que-e-cet.', maxLength: 80 },
    ...faqFields(),
  ],
  button: 'Salvar',
  body: (sent) => ({ id: sent.text('id'), ...faqIn(sent) }),
  done: ({ id }) => ({ note: 'Pergunta salva. O site mostra em um segundo.', to: `/perguntas/${id}` }),
});

export const editFaq = act({
  path: `${FAQ}/editar`,
  call: 'changeFaqEntry',
  title: 'Editar',
  edits: 'getFaqEntryForStaff',
  fields: faqFields,
  button: 'Salvar',
  body: faqIn,
  done: 'Pergunta salva. O site mostra em um segundo.',
});

export const removeFaq = act({
  path: `${FAQ}/remover`,
  call: 'removeFaqEntry',
  title: 'Remover',
  back: '/perguntas',
  says: 'Sai do site e da lista. Para só esconder, edite e tire do site.',
  button: 'Remover pergunta',
  done: 'Pergunta removida.',
});

export const faqPage: MakeOfficePage = async (visit) => {
  const entry = await visit.api.getFaqEntryForStaff({ path: { id: visit.params.id! } });
  return (
    <RecordLayout title="Pergunta" heading={entry.question} visit={visit} acts={[editFaq, removeFaq]}>
      <Facts
        of={entry}
        are={[text('Assunto', 'topic'), ['Posição', entry.position], state('No site', 'listed', YES_NO)]}
      />
      <p class="office-text">{entry.answer}</p>
    </RecordLayout>
  );
};
