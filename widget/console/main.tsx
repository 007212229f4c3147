// The console's application: who is signed in, and the site's figures.
import { render } from 'preact';
import { App } from './app.tsx';
import './app.css';
import './lists/lists.css';
import './now/now.css';
import './now/wall.css';
import './operator/operator.css';
import './post/post.css';
import './setUp/setUp.css';
import './share/share.css';

const root = document.getElementById('app')!;
root.textContent = '';
// The page of a link has no sign-in: its part is loaded for it alone.
if (root.dataset.shared === undefined) render(<App />, root);
else void import('./share/sharedPage.tsx').then(({ SharedPage }) => render(<SharedPage />, root));
