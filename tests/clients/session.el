;;; What a person does in Emacs, in a batch: each step prints its name and what came of it, as JSON.  -*- lexical-binding: t -*-

(require 'eglot)
(require 'json)

(defun say (name value)
  (princ (concat (json-encode (list (cons name value))) "\n")))

(defconst patience 300
  "Seconds to wait for what should take a fraction of one: the machines that run tests are busy.")
(setq jsonrpc-default-request-timeout patience
      eglot-connect-timeout patience
      eglot-sync-connect patience
      eglot-autoshutdown t
      eglot-send-changes-idle-time 0)

(defun wait-until (condition)
  "Waits for what the server has to tell."
  (let ((deadline (+ (float-time) patience)))
    (while (and (not (funcall condition)) (< (float-time) deadline))
      (accept-process-output nil 0.05))))

(find-file (pop command-line-args-left))
(say "mode" (symbol-name major-mode))
(unless (eglot-current-server) (run-hooks 'post-command-hook))
(unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
(wait-until #'eglot-current-server)

(goto-char (point-min))
(search-forward "return %w")
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (say "definition" (xref-location-line (xref-item-location place))))

(let* ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
       (contents (plist-get answer :contents)))
  (say "hover" (eglot--hover-info contents)))

(goto-char (point-min))
(search-forward "arith.mul")
(let ((table (nth 2 (eglot-completion-at-point))))
  (say "completion" (if (member "arith.mulf" (all-completions "arith.mul" table)) t :json-false)))

(goto-char (point-min))
(search-forward "return %w")
(eglot-rename "renamed")
(say "renamed" (buffer-string))

(goto-char (point-min))
(search-forward "  %renamed = arith.mulf")
(replace-match "      %renamed=arith.mulf  ")
(eglot--signal-textDocument/didChange)
(eglot-format-buffer)
(say "formatted" (buffer-string))

(goto-char (point-min))
(search-forward "arith.mulf")
(replace-match "arith.mulg")
(eglot--signal-textDocument/didChange)
(flymake-mode 1)
(wait-until #'flymake-diagnostics)
(say "diagnostics" (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun completed (typed)
  "What becomes of a line with `typed' at its end when one asks for completion there."
  (goto-char (point-min))
  (end-of-line)
  (insert "\n" typed)
  (eglot--signal-textDocument/didChange)
  (completion-at-point)
  (prog1 (buffer-substring (line-beginning-position) (line-end-position))
    (delete-region (line-end-position 0) (line-end-position))
    (eglot--signal-textDocument/didChange)))
(say "completed" (mapcar #'completed '("  %x = arith.remu" "  %x = arith.add" "  retur")))

(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
