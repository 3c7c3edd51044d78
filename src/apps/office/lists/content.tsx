import { pluralize } from '../../text/format.ts';
import { addCategory, addFaq, markLeadHandled, writePost } from '../content.tsx';
import * as labels from '../labels.ts';
import { defineListScreen } from '../list.tsx';
import { createMerchant } from '../merchant.tsx';
import { toMaskedName, withTitle } from '../tables.tsx';
import { addPicture } from '../uploads.tsx';

const formatPayoutDays = (days: number | string) => pluralize(Number(days), 'dia útil', 'dias úteis');

export const merchants = defineListScreen({
  path: '/lojas',
  title: 'Lojas',
  operation: 'listMerchantForStaff',
  searchLabel: 'Nome',
  columns: [
    'name',
    'slug',
    'category',
    { title: 'Cidade', render: ({ city, state }) => [city, state].filter(Boolean).join(', ') },
    'listed',
    'plan.weekly_rate_percent',
    'plan.merchant_fee_percent',
    {
      ...withTitle('plan.payout_days', 'Repasse em'),
      render: ({ plan }) => formatPayoutDays(plan.payout_days),
      formatForCsv: formatPayoutDays,
    },
  ],
  titles: {
    name: 'Loja',
    'plan.weekly_rate_percent': 'Juros por semana',
    'plan.merchant_fee_percent': 'Taxa',
  },
  defaultOrderLabel: 'Por nome',
  rowHref: ({ slug }) => `/lojas/${slug}`,
  actions: [createMerchant],
});

export const categories = defineListScreen({
  path: '/categorias',
  title: 'Categorias',
  operation: 'listCategoryForStaff',
  searchLabel: 'Nome',
  columns: ['name', 'slug'],
  titles: { name: 'Categoria' },
  rowHref: ({ slug }) => `/categorias/${slug}`,
  actions: [addCategory],
});

export const leads = defineListScreen({
  path: '/contatos',
  title: 'Contatos',
  operation: 'listLeads',
  searchLabel: 'Texto',
  labels: { status: labels.LEAD_LABELS, kind: labels.LEAD_KIND_LABELS },
  columns: ['name', 'kind', 'status', 'company', 'received_at'],
  cells: { name: ({ name }) => toMaskedName(name) },
  titles: { received_at: 'Recebido' },
  rowHref: ({ id }) => `/contatos/${id}`,
  bulk: {
    getId: ({ id }) => id,
    getLabel: ({ name }) => toMaskedName(name),
    actions: [
      {
        action: markLeadHandled,
        describeEffect: () => 'Sai da fila',
        explainIneligible: ({ status }) => status === 'handled' && 'Nada: já foi atendido',
      },
    ],
  },
  emptyText: 'Ninguém espera resposta.',
});

export const posts = defineListScreen({
  path: '/posts',
  title: 'Posts',
  operation: 'listPostForStaff',
  searchLabel: 'Texto',
  labels: { status: labels.POST_LABELS },
  columns: ['title', 'author', 'tags', 'published_at'],
  titles: { published_at: 'Publicado' },
  emptyTexts: { published_at: 'rascunho' },
  rowHref: ({ slug }) => `/posts/${slug}`,
  actions: [writePost],
});

export const faq = defineListScreen({
  path: '/perguntas',
  title: 'Perguntas',
  operation: 'listFaqEntryForStaff',
  searchLabel: 'Texto',
  columns: ['question', 'topic', 'position', 'listed'],
  rowHref: ({ id }) => `/perguntas/${id}`,
  actions: [addFaq],
});

export const media = defineListScreen({
  path: '/imagens',
  title: 'Imagens',
  operation: 'listMedia',
  columns: [
    {
      title: 'Imagem',
      render: ({ url, width, height }) => (
        <img class="office-thumb" src={url} alt="" width={width ?? 48} height={height ?? 48} loading="lazy" />
      ),
    },
    'url',
    'size',
    'uses',
    'uploaded_at',
  ],
  titles: { uploaded_at: 'Enviada' },
  actions: [addPicture],
});
