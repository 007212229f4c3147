// "Share" in the bar. The dialog is loaded when it is first opened.
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { Choice } from '../choice.ts';
import type { Session } from '../session.ts';

interface Props {
  session: Session;
  choice: Choice;
}

export function ShareButton(props: Props) {
  const [Dialog, setDialog] = useState<FunctionComponent<Props & { onClose: () => void }>>();
  const [trouble, setTrouble] = useState('');
  const open = () =>
    import('./shareDialog.tsx').then(
      ({ ShareDialog }) => {
        setTrouble('');
        setDialog(() => ShareDialog);
      },
      () => setTrouble('Not loaded. Is the server running? If it is, reload the page.'),
    );
  return (
    <>
      <button type="button" class="share-button" aria-haspopup="dialog" onClick={() => void open()}>
        Share
      </button>
      {trouble && <span role="alert">{trouble}</span>}
      {Dialog && <Dialog {...props} onClose={() => setDialog(undefined)} />}
    </>
  );
}
