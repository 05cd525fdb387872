package io.lockkeeper.etcd.client;

import java.io.IOException;

/** Thrown when a reply is not one of etcd's JSON gateway. */
final class NotHttpException extends IOException {
    private static final long serialVersionUID = 1;

    NotHttpException(String message) {
        super(message);
    }
}
