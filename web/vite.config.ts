import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVER = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    manifest: true,
    // Small files as data: addresses would be refused for fonts and scripts by the content policy.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': SERVER, '/oauth': SERVER } },
  preview: { proxy: { '/api': SERVER, '/oauth': SERVER } },
});
