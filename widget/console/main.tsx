// The console's application: who is signed in, and the site's figures.
import pLimit from 'p-limit';
import { type ComponentChild, render } from 'preact';
import { App } from './app.tsx';
import { NotLoaded } from './notLoaded.tsx';
import { Turns } from './useAnswer.ts';
import './app.css';
import './lists/lists.css';
import './now/now.css';
import './now/wall.css';
import './operator/operator.css';
import './post/post.css';
import './setUp/setUp.css';
import './share/share.css';

/**
 * Questions of a page that are asked at once. A question takes several statements, each of which waits behind those of
 * questions asked before: with all at once the first of a page are answered last.
 */
const AT_ONCE = 3;

const root = document.getElementById('app')!;
root.textContent = '';
const turns = pLimit(AT_ONCE);
const draw = (page: ComponentChild) => render(<Turns.Provider value={turns}>{page}</Turns.Provider>, root);
// The page of a link has no sign-in: its part is loaded for it alone.
const drawShared = (): Promise<void> =>
  import('./share/sharedPage.tsx').then(
    ({ SharedPage }) => draw(<SharedPage />),
    () =>
      draw(
        <main class="sign-in">
          <NotLoaded tryAgain={() => void drawShared()} />
        </main>,
      ),
  );
if (root.dataset.shared === undefined) draw(<App />);
else void drawShared();
