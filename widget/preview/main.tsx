// The preview's application: a form, four frames with the real widget in them, what to copy, and a page checked.
import { render } from 'preact';
import { App } from './app.tsx';
import './app.css';
import './parts.css';

const root = document.getElementById('app')!;
const { server, site = '' } = root.dataset;
const here = new URL('.', location.href).href.replace(/\/$/, '');
root.textContent = '';
render(<App server={server || here} site={site} />, root);
