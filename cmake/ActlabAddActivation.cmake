# actlab_add_activation(target header...): builds the activations of the headers into a target.
function(actlab_add_activation target)
endfunction()
