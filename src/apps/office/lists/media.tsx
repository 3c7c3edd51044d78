import { code, number, timestamp } from '../columns.tsx';
import { choiceFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { addPicture } from '../uploads.tsx';

export const media = defineListScreen({
  path: '/imagens',
  title: 'Imagens',
  call: 'listMedia',
  filters: [choiceFilter('unused', 'Sem uso', { true: 'Sim' })],
  columns: [
    {
      title: 'Imagem',
      render: ({ url, width, height }) => (
        <img class="office-thumb" src={url} alt="" width={width ?? 48} height={height ?? 48} loading="lazy" />
      ),
    },
    code('Endereço', 'url'),
    number('Bytes', 'size'),
    number('Usos', 'uses'),
    timestamp('Enviada', 'uploaded_at'),
  ],
  acts: [addPicture],
});
