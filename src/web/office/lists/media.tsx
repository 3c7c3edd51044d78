import { code, moment, number } from '../columns.tsx';
import { choice } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { addPicture } from '../uploads.tsx';

export const media = listScreen({
  path: '/imagens',
  title: 'Imagens',
  call: 'listMedia',
  filters: [choice('unused', 'Sem uso', { true: 'Sim' })],
  columns: [
    {
      title: 'Imagem',
      show: ({ url, width, height }) => (
        <img class="office-thumb" src={url} alt="" width={width ?? 48} height={height ?? 48} loading="lazy" />
      ),
    },
    code('Endereço', 'url'),
    number('Bytes', 'size'),
    number('Usos', 'uses'),
    moment('Enviada', 'uploaded_at'),
  ],
  acts: [addPicture],
});
