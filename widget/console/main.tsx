// The console's application: who is signed in, and the site's figures.
import { render } from 'preact';
import { App } from './app.tsx';
import './app.css';
import './lists/lists.css';
import './now/now.css';
import './now/wall.css';
import './post/post.css';
import './setUp/setUp.css';

const root = document.getElementById('app')!;
root.textContent = '';
render(<App />, root);
